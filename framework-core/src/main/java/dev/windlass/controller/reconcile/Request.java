// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.OneLine;
import java.util.Objects;

/**
 * The object to reconcile, by its key. It does not say what happened, because many events may have
 * become one request: a reconciler looks at the current state instead.
 *
 * @param cluster the name of the cluster in which the object is, as the manager has connected it;
 *     empty for the program's own
 * @param key of the object, which may not exist any more
 */
public record Request(String cluster, ObjectKey key) {

  /** Rejects null. */
  public Request {
    Objects.requireNonNull(cluster, "the cluster of a request; empty for the own one");
    Objects.requireNonNull(key, "the key of a request");
  }

  /** The request for an object of the program's own cluster. */
  public Request(ObjectKey key) {
    this("", key);
  }

  /** The request for an object in a namespace. */
  public static Request of(String namespace, String name) {
    return new Request(ObjectKey.of(namespace, name));
  }

  /**
   * The request for {@code namespace/name}, or for the cluster-scoped object {@code name}.
   *
   * @throws IllegalArgumentException for anything else, naming it
   */
  public static Request of(String text) {
    return new Request(ObjectKey.of(text));
  }

  /** The request for the object of the same key in another cluster. */
  public Request inCluster(String name) {
    return new Request(name, key);
  }

  /** The namespace of the object; empty if it is cluster-scoped. */
  public String namespace() {
    return key.namespace();
  }

  /** The name of the object. */
  public String name() {
    return key.name();
  }

  /** {@code namespace/name}, or {@code name}; after the cluster and a colon if that is another. */
  @Override
  public String toString() {
    return cluster.isEmpty() ? key.toString() : OneLine.of(cluster) + ":" + key;
  }
}
