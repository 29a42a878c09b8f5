// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.failure.RequiredPermission;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.object.selector.FieldSelector;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The scope of a watch. The namespace and the selectors determine which objects of a type are
 * watched.
 *
 * @param namespace the namespace; empty for all namespaces
 * @param labelSelector the label selector in the API server's syntax; empty for no restriction
 * @param fieldSelector the field selector, such as {@code metadata.name=a}; empty for no
 *     restriction
 */
public record WatchScope(String namespace, String labelSelector, String fieldSelector) {

  /** Checks that an API server would accept the namespace and the selectors. */
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

  /** The scope that contains all objects of a type. */
  public static final WatchScope ALL = new WatchScope("", "", "");

  /** Returns the scope that contains all objects in the given namespace. */
  public static WatchScope namespace(String namespace) {
    return new WatchScope(namespace, "", "");
  }

  /**
   * Returns a copy of this scope that is restricted to objects whose labels match the given
   * selector.
   *
   * @throws IllegalArgumentException if the argument is not a valid selector; the message quotes it
   */
  public WatchScope withLabels(String selector) {
    return new WatchScope(namespace, selector, fieldSelector);
  }

  /**
   * Returns a copy of this scope that is restricted to objects whose fields match the given
   * selector. API servers support only a few fields for each type.
   *
   * @throws IllegalArgumentException if the argument is not a valid selector; the message quotes it
   */
  public WatchScope withFields(String selector) {
    return new WatchScope(namespace, labelSelector, selector);
  }

  /** Returns a copy of this scope that is restricted to the object with the given name. */
  public WatchScope named(String name) {
    return withFields("metadata.name=" + name);
  }

  /**
   * Returns the object name that the field selector requires, or empty if it does not require a
   * name. A watch with such a selector requires permissions only for objects with that name.
   */
  public Optional<String> objectName() {
    return FieldSelector.parse(fieldSelector).name();
  }

  /**
   * Returns a copy of this scope with the same selectors in the given namespace. An empty string
   * means all namespaces.
   */
  public WatchScope in(String other) {
    return new WatchScope(other, labelSelector, fieldSelector);
  }

  /**
   * Returns whether this scope contains all objects in the given namespace. An empty string means
   * all namespaces. Use this method only for namespaced types.
   */
  public boolean covers(String other) {
    return selectsAll() && (namespace.isEmpty() || namespace.equals(other));
  }

  /**
   * Returns whether the selectors of this scope match an object. Returns empty if this depends on
   * fields that only the server can evaluate. This method does not compare the namespace.
   */
  public Optional<Boolean> selects(ObjectKey key, Map<String, String> labels) {
    boolean labelsMatch = labelSelector.isEmpty() || Selector.parse(labelSelector).matches(labels);
    return labelsMatch ? FieldSelector.parse(fieldSelector).matches(key) : Optional.of(false);
  }

  /** Returns whether this scope has no selectors. */
  public boolean selectsAll() {
    return labelSelector.isEmpty() && fieldSelector.isEmpty();
  }

  /** Returns the permission to list and watch the given type in this scope. */
  public RequiredPermission access(ResourceType type) {
    return new RequiredPermission(
        List.of("list", "watch"), type.plural(), type.group(), type.namespaced() ? namespace : "");
  }

  @Override
  public String toString() {
    return (namespace.isEmpty() ? "all namespaces" : "namespace " + namespace) + selection();
  }

  /** Returns a phrase such as {@code with labels app=web}, or an empty text without selectors. */
  public String selection() {
    return (labelSelector.isEmpty() ? "" : " with labels " + labelSelector)
        + (fieldSelector.isEmpty() ? "" : " with fields " + fieldSelector);
  }
}
