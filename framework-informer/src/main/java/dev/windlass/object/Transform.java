// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes objects before they are cached, mostly to drop what nobody reads. It costs one decode and
 * one encode of each object that arrives.
 *
 * <p>What it drops is gone for everybody who reads from that cache, and an object that is written
 * back lacks it: use it on types that are only read, or written by patches.
 *
 * <p>Called by one thread per type, for each state once, in any order. It must depend on nothing
 * but the object, and must leave alone what identifies it (name, namespace, uid, resourceVersion).
 * Of an object on which it throws only the metadata is kept, since what it was to remove may be
 * secret; others are not affected.
 *
 * <p>Two caches are one if their transforms are equal, as those of the factory methods are that do
 * the same. A lambda is equal to itself only: keep it in a constant.
 */
@FunctionalInterface
public interface Transform {

  /** Changes nothing. */
  Transform NONE = tree -> {};

  /** Changes the object in place. */
  void apply(ObjectTree tree);

  /**
   * Whether it certainly leaves the status as it is. Then a status that was read through it may be
   * sent back by {@code updateStatus}; else only a patch or an apply may change it.
   */
  default boolean keepsStatus() {
    return this == NONE;
  }

  /** This one first, then the other. */
  default Transform then(Transform other) {
    return new TransformChain(this, other);
  }

  /**
   * Drops fields, such as {@code data} of a ConfigMap, or {@code spec.containers.env} of a Pod.
   *
   * @param paths names with points between them; a path goes into each element of a list, and one
   *     that leads nowhere drops nothing
   * @throws IllegalArgumentException if there is none, or one is no path or drops what identifies
   *     the object
   */
  static Transform dropFields(String... paths) {
    return filter(false, "dropFields", paths);
  }

  /**
   * Drops annotations, such as {@code kubectl.kubernetes.io/last-applied-configuration}, which
   * holds the whole object once more.
   *
   * @throws IllegalArgumentException if there is none
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
   * Keeps these fields, and {@code apiVersion}, {@code kind} and the metadata, which every object
   * has: {@code keepFields("spec.nodeName", "status.phase")}.
   *
   * @param paths as for {@link #dropFields}
   * @throws IllegalArgumentException if there is none, or one is no path, or a part of the metadata
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
