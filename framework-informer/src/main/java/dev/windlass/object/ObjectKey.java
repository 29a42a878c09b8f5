// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What identifies an object among those of its type: namespace and name. The uid is not part of it,
 * so an object that was deleted and created again has the key of the old one.
 *
 * @param namespace empty for a cluster-scoped object
 * @param name never empty
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

  /** Refuses what can't be a key: an empty name, or a slash in either part. */
  public ObjectKey {
    if (name.isEmpty() || name.indexOf('/') >= 0 || namespace.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "not the key of an object: namespace '" + namespace + "', name '" + name + "'");
    }
  }

  /**
   * Reads a key as {@link #toString} writes it: {@code namespace/name}, or {@code name} of a
   * cluster-scoped object.
   *
   * @throws IllegalArgumentException for anything else, naming it
   */
  public static ObjectKey of(String text) {
    int slash = text.indexOf('/');
    try {
      return slash < 0
          ? new ObjectKey("", text)
          : new ObjectKey(text.substring(0, slash), text.substring(slash + 1));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("invalid resource key: " + text, e);
    }
  }

  /** The key of an object in a namespace. */
  public static ObjectKey of(String namespace, String name) {
    return new ObjectKey(namespace, name);
  }

  /** The key of a typed object, which must have a name. */
  public static ObjectKey of(HasMetadata object) {
    var metadata = object.getMetadata();
    if (metadata == null || metadata.getName() == null) {
      throw new IllegalArgumentException(
          "an object without metadata.name has no key: " + object.getKind());
    }
    return new ObjectKey(
        metadata.getNamespace() == null ? "" : metadata.getNamespace(), metadata.getName());
  }

  // Written out: those that come with a record are put together at run time, by code that has to be
  // loaded and compiled first, and every table of objects calls them.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectKey key
        && name.equals(key.name)
        && namespace.equals(key.namespace);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  /** Orders by namespace, then by name. */
  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /**
   * {@code namespace/name}, or {@code name} for a cluster-scoped object; on one line, whatever the
   * name: control characters, which few types allow, are written as their codes.
   */
  @Override
  public String toString() {
    return OneLine.of(namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
