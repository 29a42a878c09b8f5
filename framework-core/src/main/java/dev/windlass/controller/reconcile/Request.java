// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.object.ObjectKey;

/**
 * The object to reconcile, by its key. It does not say what happened, because many events may have
 * become one request: a reconciler looks at how things are now.
 *
 * @param key of the object, which may not exist any more
 */
public record Request(ObjectKey key) {

  /** The request for an object in a namespace. */
  public static Request of(String namespace, String name) {
    return new Request(ObjectKey.of(namespace, name));
  }

  /**
   * The request for {@code namespace/name}, or for the cluster-scoped object {@code name}.
   *
   * @throws IllegalArgumentException for anything else, naming it
   */
  public static Request of(String name) {
    return new Request(ObjectKey.of(name));
  }

  /** The namespace of the object; empty if it is cluster-scoped. */
  public String namespace() {
    return key.namespace();
  }

  /** The name of the object. */
  public String name() {
    return key.name();
  }

  /** {@code namespace/name}, or {@code name}. */
  @Override
  public String toString() {
    return key.toString();
  }
}
