// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import java.util.Objects;

/**
 * Identifies an object to reconcile by its key. A request does not describe what happened, because
 * many events may be merged into one request: a reconciler looks at the current state instead.
 *
 * @param cluster the name under which the manager has connected the cluster of the object; empty
 *     for the program's own cluster
 * @param key the key of the object, which may no longer exist
 */
public record Request(String cluster, ObjectKey key) {

  /** Rejects null components. */
  public Request {
    Objects.requireNonNull(cluster, "the cluster of a request; empty for the own one");
    Objects.requireNonNull(key, "the key of a request");
  }

  /** Creates a request for an object in the program's own cluster. */
  public Request(ObjectKey key) {
    this("", key);
  }

  /** Creates a request for an object in a namespace. */
  public static Request of(String namespace, String name) {
    return new Request(ObjectKey.of(namespace, name));
  }

  /**
   * Creates a request for {@code namespace/name}, or for the cluster-scoped object {@code name}.
   *
   * @throws IllegalArgumentException for any other text; the message quotes it
   */
  public static Request of(String text) {
    return new Request(ObjectKey.of(text));
  }

  /** Returns a request for the object with the same key in another cluster. */
  public Request inCluster(String name) {
    return new Request(name, key);
  }

  /** Returns the namespace of the object; empty if it is cluster-scoped. */
  public String namespace() {
    return key.namespace();
  }

  /** Returns the name of the object. */
  public String name() {
    return key.name();
  }

  /**
   * Returns {@code namespace/name} or {@code name}, prefixed with the cluster and a colon if it is
   * not the program's own.
   */
  @Override
  public String toString() {
    return cluster.isEmpty() ? key.toString() : OneLine.of(cluster) + ":" + key;
  }
}
