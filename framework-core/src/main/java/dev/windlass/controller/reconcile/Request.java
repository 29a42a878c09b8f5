// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import java.util.Objects;

/**
 * A request to reconcile an object. A request identifies the object by cluster and key. It does not
 * describe an event, because several events can be merged into one request. A reconciler must read
 * the object's current state instead.
 *
 * @param cluster the name of the object's cluster as registered with the manager, or empty for the
 *     program's own cluster
 * @param key the object's key; the object may no longer exist
 */
public record Request(String cluster, ObjectKey key) {

  /**
   * Creates a request.
   *
   * @throws NullPointerException if an argument is null
   */
  public Request {
    Objects.requireNonNull(cluster, "the cluster of a request; empty for the own one");
    Objects.requireNonNull(key, "the key of a request");
  }

  /** Creates a request for the object with the given key in the program's own cluster. */
  public Request(ObjectKey key) {
    this("", key);
  }

  /** Creates a request for an object in the given namespace of the program's own cluster. */
  public static Request of(String namespace, String name) {
    return new Request(ObjectKey.of(namespace, name));
  }

  /**
   * Creates a request from {@code namespace/name}, or from {@code name} for a cluster-scoped
   * object.
   *
   * @throws IllegalArgumentException if the string does not have this form; the message quotes the
   *     string
   */
  public static Request of(String text) {
    return new Request(ObjectKey.of(text));
  }

  /** Returns a request for the object with the same key in the given cluster. */
  public Request inCluster(String name) {
    return new Request(name, key);
  }

  /** Returns the object's namespace, or empty if the object is cluster-scoped. */
  public String namespace() {
    return key.namespace();
  }

  /** Returns the object's name. */
  public String name() {
    return key.name();
  }

  /**
   * Returns {@code namespace/name}, or {@code name} for a cluster-scoped object. If the object is
   * not in the program's own cluster, the name of its cluster and a colon precede this string.
   */
  @Override
  public String toString() {
    return cluster.isEmpty() ? key.toString() : OneLine.of(cluster) + ":" + key;
  }
}
