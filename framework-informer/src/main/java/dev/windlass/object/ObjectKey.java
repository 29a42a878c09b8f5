// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The namespace and name of an object. They identify the object among the existing objects of its
 * type. The uid is not part of the key, so an object that is deleted and created again keeps its
 * key.
 *
 * @param namespace the namespace; empty for a cluster-scoped object
 * @param name the name, which is never empty
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

  /**
   * Checks that the name is not empty, and that neither the namespace nor the name contains a
   * slash.
   */
  public ObjectKey {
    if (name.isEmpty() || name.indexOf('/') >= 0 || namespace.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "not the key of an object: namespace '" + namespace + "', name '" + name + "'");
    }
  }

  /**
   * Parses a key in the format of {@link #toString}: {@code namespace/name}, or {@code name} for a
   * cluster-scoped object.
   *
   * @throws IllegalArgumentException if the string has a different format; the message quotes the
   *     string
   */
  public static ObjectKey of(String text) {
    int slash = text.indexOf('/');
    try {
      return slash < 0
          ? new ObjectKey("", text)
          : new ObjectKey(text.substring(0, slash), text.substring(slash + 1));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "invalid resource key: " + text + "; it must be namespace/name, or name", e);
    }
  }

  /** Returns the key with the given namespace and name. */
  public static ObjectKey of(String namespace, String name) {
    return new ObjectKey(namespace, name);
  }

  /** Returns the key of the given typed object, which must have a name. */
  public static ObjectKey of(HasMetadata object) {
    var metadata = object.getMetadata();
    if (metadata == null || metadata.getName() == null) {
      throw new IllegalArgumentException(
          "an object without metadata.name has no key: " + object.getKind());
    }
    return new ObjectKey(
        metadata.getNamespace() == null ? "" : metadata.getNamespace(), metadata.getName());
  }

  // These methods are written out because the generated methods of a record are assembled at run
  // time, by code that must first be loaded and compiled. Every table of objects calls them.

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

  /** Compares keys by namespace, and then by name. */
  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /**
   * Returns {@code namespace/name}, or {@code name} for a cluster-scoped object. The result is
   * always a single line, because control characters are escaped. Only a few types allow them in
   * names.
   */
  @Override
  public String toString() {
    return OneLine.of(namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
