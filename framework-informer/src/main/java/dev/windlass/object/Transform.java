// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes objects before they are cached, usually to drop fields that no reader needs. A transform
 * requires one decode and one encode of each object that arrives.
 *
 * <p>Dropped fields are missing for all readers of that cache, and from an object that is written
 * back. Therefore use transforms for types that are only read, or are written by patches.
 *
 * <p>One thread per type calls the transform, once for each state, in any order. The result must
 * depend only on the object, and the transform must not change the fields that identify the object
 * (name, namespace, uid, resourceVersion). If it throws, only the metadata of that object is kept,
 * since the data to be removed may be secret; other objects are not affected.
 *
 * <p>Two requests for a cache share one only if their transforms are equal. Transforms from the
 * factory methods are equal if they have the same effect. A lambda is equal only to itself, so keep
 * it in a constant.
 */
@FunctionalInterface
public interface Transform {

  /** Changes nothing. */
  Transform NONE = tree -> {};

  /** Changes the object in place. */
  void apply(ObjectTree tree);

  /**
   * Returns whether the transform is certain to leave the status unchanged. If so, a status that
   * was read through it may be sent back with {@code updateStatus}; otherwise only a patch or an
   * apply may change the status.
   */
  default boolean keepsStatus() {
    return this == NONE;
  }

  /** Returns a transform that applies this one first, then the other. */
  default Transform then(Transform other) {
    return new TransformChain(this, other);
  }

  /**
   * Returns a transform that drops fields, such as {@code data} of a ConfigMap, or {@code
   * spec.containers.env} of a Pod.
   *
   * @param paths field names separated by dots; a path applies to each element of a list, and one
   *     that does not exist drops nothing
   * @throws IllegalArgumentException if there is no path, or if one is invalid or drops a field
   *     that identifies the object
   */
  static Transform dropFields(String... paths) {
    return filter(false, "dropFields", paths);
  }

  /**
   * Returns a transform that drops annotations, such as {@code
   * kubectl.kubernetes.io/last-applied-configuration}, which holds a second copy of the object.
   *
   * @throws IllegalArgumentException if there is no annotation
   */
  static Transform dropAnnotations(String... annotations) {
    requireSome("dropAnnotations", annotations);
    return new FieldFilter(
        false,
        Stream.of(annotations)
            .map(name -> List.of("metadata", "annotations", name))
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * Returns a transform that keeps only these fields, and {@code apiVersion}, {@code kind} and the
   * metadata, which every object has: {@code keepFields("spec.nodeName", "status.phase")}.
   *
   * @param paths as for {@link #dropFields}
   * @throws IllegalArgumentException if there is no path, or if one is invalid or is a part of the
   *     metadata
   */
  static Transform keepFields(String... paths) {
    return filter(true, "keepFields", paths);
  }

  private static Transform filter(boolean keeps, String method, String[] paths) {
    requireSome(method, paths);
    return new FieldFilter(
        keeps,
        Stream.of(paths)
            .map(path -> FieldFilter.path(path, keeps))
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static void requireSome(String method, String[] given) {
    if (given.length == 0) {
      throw new IllegalArgumentException(
          method + "() without a field: name at least one, or leave the transform out");
    }
  }
}
