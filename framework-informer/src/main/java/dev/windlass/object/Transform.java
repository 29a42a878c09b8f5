// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.List;
import java.util.Set;

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
    return new Dropping(
        tree -> {
          apply(tree);
          other.apply(tree);
        },
        keepsStatus() && other.keepsStatus());
  }

  /** Drops fields of the object's top level, such as {@code data} of a ConfigMap. */
  static Transform dropFields(String... fields) {
    List<String> dropped = List.of(fields);
    return new Dropping(tree -> dropped.forEach(tree::remove), !dropped.contains("status"));
  }

  /**
   * Drops annotations, such as {@code kubectl.kubernetes.io/last-applied-configuration}, which
   * holds the whole object once more.
   */
  static Transform dropAnnotations(String... annotations) {
    List<String> dropped = List.of(annotations);
    return new Dropping(
        tree -> dropped.forEach(name -> tree.remove("metadata", "annotations", name)), true);
  }

  /** Keeps these fields of the object's top level, and those that every object has. */
  static Transform keepFields(String... fields) {
    Set<String> kept = Set.of(fields);
    Set<String> always = Set.of("apiVersion", "kind", "metadata");
    return new Dropping(
        tree ->
            tree.fields().stream()
                .filter(field -> !kept.contains(field) && !always.contains(field))
                .forEach(tree::remove),
        kept.contains("status"));
  }
}
