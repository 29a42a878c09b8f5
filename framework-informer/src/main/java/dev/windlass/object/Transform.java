// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes objects before they are cached, usually to remove fields that the program does not read.
 * A cache with a transform decodes and encodes each incoming object once to apply the transform.
 *
 * <p>No reader of the cache can read the removed fields. If the program replaced an object on the
 * server with the object from the cache, it would delete these fields. Use a transform only if the
 * program does not write objects of the type, or writes them with patches.
 *
 * <p>A single thread for each type calls the transform, once for each version of an object. The
 * order of these calls is unspecified. The result must depend only on the object, and the transform
 * must not change the fields that identify the object (name, namespace, uid, resourceVersion). If
 * the transform throws an exception, the cache keeps only the metadata of that object, because the
 * fields that the transform would have removed may be secret. Other objects are not affected.
 *
 * <p>Two controllers or listers can share a cache only if their transforms are equal. Transforms
 * from the factory methods are equal if they have the same effect. A lambda is equal only to
 * itself, so store it in a constant.
 */
@FunctionalInterface
public interface Transform {

  /** A transform that has no effect. */
  Transform NONE = tree -> {};

  /** Changes the object in place. */
  void apply(ObjectTree tree);

  /**
   * Returns true if the transform is guaranteed to leave the status unchanged. If true, the program
   * can read a status from the cache, change it, and write it with {@code updateStatus}. If false,
   * the program can change the status only with a patch or an apply request.
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
   * @param paths the paths of the fields; each path consists of field names separated by dots. If a
   *     path passes through a list, it applies to every element of the list. If an object does not
   *     have a field, the path has no effect
   * @throws IllegalArgumentException if no path is given, if a path is invalid, or if a path refers
   *     to a field that identifies the object
   */
  static Transform dropFields(String... paths) {
    return filter(false, "dropFields", paths);
  }

  /**
   * Returns a transform that drops annotations, such as {@code
   * kubectl.kubernetes.io/last-applied-configuration}, which contains a second copy of the object.
   *
   * @param annotations the names of the annotations
   * @throws IllegalArgumentException if no annotation is given
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
   * Returns a transform that keeps only the given fields, {@code apiVersion}, {@code kind} and all
   * metadata. Example: {@code keepFields("spec.nodeName", "status.phase")}.
   *
   * @param paths the paths of the fields, as for {@link #dropFields}
   * @throws IllegalArgumentException if no path is given, if a path is invalid, or if a path refers
   *     to a field within the metadata
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
