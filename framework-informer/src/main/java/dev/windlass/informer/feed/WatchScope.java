// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.FieldSelector;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Selector;
import dev.windlass.trouble.Access;
import java.util.List;
import java.util.Objects;

/**
 * Which objects of a type are watched.
 *
 * @param namespace the one namespace; empty for all
 * @param labelSelector in the syntax of the API server; empty for no restriction
 * @param fieldSelector such as {@code metadata.name=a}; empty for no restriction
 */
public record WatchScope(String namespace, String labelSelector, String fieldSelector) {

  /** Refuses a namespace and selectors that no API server would accept. */
  public WatchScope {
    Objects.requireNonNull(namespace, "the namespace was null: use the empty one for all");
    Objects.requireNonNull(labelSelector, "the labels were null: use the empty text for all");
    Objects.requireNonNull(fieldSelector, "the fields were null: use the empty text for all");
    if (!namespace.matches("([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?")) {
      throw new IllegalArgumentException(
          "not the name of a namespace: '"
              + namespace
              + "'; it must consist of at most 63 lower case letters, digits and dashes");
    }
    Selector.parse(labelSelector);
    FieldSelector.parse(fieldSelector);
  }

  /** Every object of the type. */
  public static final WatchScope ALL = new WatchScope("", "", "");

  /** The objects of one namespace. */
  public static WatchScope namespace(String namespace) {
    return new WatchScope(namespace, "", "");
  }

  /**
   * The same, restricted to objects whose labels match.
   *
   * @throws IllegalArgumentException if that is no selector, quoting it
   */
  public WatchScope withLabels(String selector) {
    return new WatchScope(namespace, selector, fieldSelector);
  }

  /**
   * The same, restricted to objects whose fields match; the server knows few fields per type.
   *
   * @throws IllegalArgumentException if that is no selector, quoting it
   */
  public WatchScope withFields(String selector) {
    return new WatchScope(namespace, labelSelector, selector);
  }

  /** The same selectors in another namespace; empty for all namespaces. */
  public WatchScope in(String other) {
    return new WatchScope(other, labelSelector, fieldSelector);
  }

  /**
   * Whether every object of the namespace is watched; with an empty one, whether every object of
   * every namespace is. Says nothing of cluster-scoped types, which have no namespace to restrict.
   */
  public boolean covers(String other) {
    return selectsAll() && (namespace.isEmpty() || namespace.equals(other));
  }

  /** Whether no selector restricts the objects. */
  public boolean selectsAll() {
    return labelSelector.isEmpty() && fieldSelector.isEmpty();
  }

  /** The right to list and watch this of a type. */
  Access access(ResourceType type) {
    return new Access(
        List.of("list", "watch"), type.plural(), type.group(), type.namespaced() ? namespace : "");
  }

  @Override
  public String toString() {
    return (namespace.isEmpty() ? "all namespaces" : "namespace " + namespace)
        + (labelSelector.isEmpty() ? "" : " with labels " + labelSelector)
        + (fieldSelector.isEmpty() ? "" : " with fields " + fieldSelector);
  }
}
