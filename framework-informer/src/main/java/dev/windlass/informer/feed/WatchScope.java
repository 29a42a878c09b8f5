// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.failure.RequiredPermission;
import dev.windlass.object.ResourceType;
import dev.windlass.object.selector.FieldSelector;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Objects;

/**
 * Defines which objects of a type are watched.
 *
 * @param namespace the namespace; empty for all
 * @param labelSelector in the syntax of the API server; empty for no restriction
 * @param fieldSelector such as {@code metadata.name=a}; empty for no restriction
 */
public record WatchScope(String namespace, String labelSelector, String fieldSelector) {

  /** Rejects a namespace and selectors that no API server would accept. */
  public WatchScope {
    Objects.requireNonNull(namespace, "the namespace is null: use an empty string for all");
    Objects.requireNonNull(labelSelector, "the labels are null: use an empty string for all");
    Objects.requireNonNull(fieldSelector, "the fields are null: use an empty string for all");
    if (!namespace.matches("([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?")) {
      throw new IllegalArgumentException(
          "not the name of a namespace: '"
              + namespace
              + "'; it must consist of at most 63 lower case letters, digits and dashes");
    }
    Selector.parse(labelSelector);
    FieldSelector.parse(fieldSelector);
  }

  /** All objects of the type. */
  public static final WatchScope ALL = new WatchScope("", "", "");

  /** Returns the scope of all objects in one namespace. */
  public static WatchScope namespace(String namespace) {
    return new WatchScope(namespace, "", "");
  }

  /**
   * Returns this scope, restricted to objects whose labels match.
   *
   * @throws IllegalArgumentException if it is not a valid selector; the message quotes it
   */
  public WatchScope withLabels(String selector) {
    return new WatchScope(namespace, selector, fieldSelector);
  }

  /**
   * Returns this scope, restricted to objects whose fields match; servers support few fields per
   * type.
   *
   * @throws IllegalArgumentException if it is not a valid selector; the message quotes it
   */
  public WatchScope withFields(String selector) {
    return new WatchScope(namespace, labelSelector, selector);
  }

  /** Returns the same selectors in another namespace; empty for all namespaces. */
  public WatchScope in(String other) {
    return new WatchScope(other, labelSelector, fieldSelector);
  }

  /**
   * Reports whether every object of a namespace is watched; for an empty namespace, whether every
   * object in all namespaces is watched. Does not apply to cluster-scoped types, which have no
   * namespaces.
   */
  public boolean covers(String other) {
    return selectsAll() && (namespace.isEmpty() || namespace.equals(other));
  }

  /** Reports whether no selector restricts the objects. */
  public boolean selectsAll() {
    return labelSelector.isEmpty() && fieldSelector.isEmpty();
  }

  /** Returns the permission to list and watch a type in this scope. */
  public RequiredPermission access(ResourceType type) {
    return new RequiredPermission(
        List.of("list", "watch"), type.plural(), type.group(), type.namespaced() ? namespace : "");
  }

  @Override
  public String toString() {
    return (namespace.isEmpty() ? "all namespaces" : "namespace " + namespace)
        + (labelSelector.isEmpty() ? "" : " with labels " + labelSelector)
        + (fieldSelector.isEmpty() ? "" : " with fields " + fieldSelector);
  }
}
