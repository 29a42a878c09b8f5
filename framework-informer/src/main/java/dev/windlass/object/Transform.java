// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes objects before they are cached, usually to drop fields that the program does not read.
 * With a transform, the cache must decode and encode each incoming object once.
 *
 * <p>The dropped fields are not available to any reader of that cache, and an object that is read
 * from the cache and written back lacks these fields. Use transforms only for types that are only
 * read, or that are written by patches.
 *
 * <p>One thread for each type calls the transform, once for each state, in any order. The result
 * must depend only on the object, and the transform must not change the fields that identify the
 * object (name, namespace, uid, resourceVersion). If the transform throws an exception, the cache
 * keeps only that object's metadata, because the fields that the transform would have removed may
 * be secret. Other objects are not affected.
 *
 * <p>Two requests for a cache share one cache only if their transforms are equal. Transforms from
 * the factory methods are equal if they have the same effect. A lambda is equal only to itself, so
 * store it in a constant.
 */
@FunctionalInterface
public interface Transform {

  /** A transform that has no effect. */
  Transform NONE = tree -> {};

  /** Changes the object in place. */
  void apply(ObjectTree tree);

  /**
   * Returns whether the transform is guaranteed to leave the status unchanged. If so, the program
   * can send a status that it read from the cache back with {@code updateStatus}. Otherwise, only a
   * patch or an apply can change the status.
   */
  default boolean keepsStatus() {
    return this == NONE;
  }

  /** Returns a transform that applies this transform first, and then the given transform. */
  default Transform then(Transform other) {
    return new TransformChain(this, other);
  }

  /**
   * Returns a transform that drops fields, such as {@code data} of a ConfigMap, or {@code
   * spec.containers.env} of a Pod.
   *
   * @param paths the paths of the fields, each as field names separated by dots. A path applies to
   *     each element of a list. A path that does not exist has no effect
   * @throws IllegalArgumentException if there is no path, if a path is invalid, or if a path drops
   *     a field that identifies the object
   */
  static Transform dropFields(String... paths) {
    return filter(false, "dropFields", paths);
  }

  /**
   * Returns a transform that drops annotations, such as {@code
   * kubectl.kubernetes.io/last-applied-configuration}, which contains a second copy of the object.
   *
   * @throws IllegalArgumentException if the array is empty
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
   * Returns a transform that keeps only the given fields, and the fields that every object has:
   * {@code apiVersion}, {@code kind} and the metadata. Example: {@code keepFields("spec.nodeName",
   * "status.phase")}.
   *
   * @param paths the paths of the fields, as for {@link #dropFields}
   * @throws IllegalArgumentException if there is no path, if a path is invalid, or if a path is
   *     part of the metadata
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
          method + "() without a field: name at least one, or omit the transform");
    }
  }
}
