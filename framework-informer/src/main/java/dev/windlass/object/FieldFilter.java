// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A transform that either drops the fields at the given paths, or keeps only these fields and the
 * apiVersion, kind and metadata.
 *
 * @param keeps whether the fields at the paths are kept rather than dropped
 * @param paths the paths; each is the list of field names from the root to the field
 */
record FieldFilter(boolean keeps, Set<List<String>> paths) implements Transform {

  private static final Set<String> IDENTITY = Set.of("apiVersion", "kind", "metadata");
  private static final Set<String> IDENTITY_OF_METADATA =
      Set.of("name", "namespace", "uid", "resourceVersion");

  /**
   * Parses a path, which consists of field names separated by dots, and returns these names.
   *
   * @param keeps whether the filter keeps the field rather than dropping it
   * @throws IllegalArgumentException if the string is not a path, if the filter would drop a field
   *     that identifies the object, or if it would keep only part of the metadata
   */
  static List<String> path(String written, boolean keeps) {
    List<String> steps = List.of(written.split("\\.", -1));
    if (steps.contains("")) {
      throw new IllegalArgumentException(
          "'%s' is not a field path: write names separated by dots, such as spec.containers.env"
              .formatted(written));
    }
    if (written.matches(".*[\\[\\]*$/].*")) {
      throw new IllegalArgumentException(
          "'%s' is not a field path: a path covers each element of a list, so write spec.containers.env for spec.containers[*].env"
              .formatted(written));
    }
    if (keeps && steps.size() > 1 && IDENTITY.contains(steps.get(0))) {
      throw new IllegalArgumentException(
          "'%s' can't be kept alone, because all metadata is kept: drop what you do not need with dropFields(\"metadata.annotations\")"
              .formatted(written));
    }
    boolean identity =
        steps.size() == 1
            ? IDENTITY.contains(steps.get(0))
            : steps.get(0).equals("metadata") && IDENTITY_OF_METADATA.contains(steps.get(1));
    if (!keeps && identity) {
      throw new IllegalArgumentException(
          "'%s' can't be dropped: it identifies the object".formatted(written));
    }
    return steps;
  }

  @Override
  public void apply(ObjectTree tree) {
    if (keeps) {
      List<List<String>> kept = new ArrayList<>(paths);
      IDENTITY.forEach(field -> kept.add(List.of(field)));
      tree.retain(kept);
    } else {
      paths.forEach(tree::removeEach);
    }
  }

  @Override
  public boolean keepsStatus() {
    return keeps
        ? paths.contains(List.of("status"))
        : paths.stream().noneMatch(path -> path.get(0).equals("status"));
  }
}
