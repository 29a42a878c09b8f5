// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Converts JSON field names to CEL identifiers. Escapes names that are not valid identifiers in the
 * same way as {@code escaping.go} in Kubernetes.
 */
final class Identifiers {
  private static final Set<String> RESERVED =
      Set.of(
          ("true false null in as break const continue else for function if import let loop package"
                  + " namespace return var void while")
              .split(" "));
  private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_./-]*");

  private Identifiers() {}

  /** Returns the CEL identifier for a field, or empty if expressions cannot access the field. */
  static Optional<String> of(String field) {
    if (RESERVED.contains(field)) {
      return Optional.of("__" + field + "__");
    }
    if (!IDENTIFIER.matcher(field).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        field
            .replace("__", "__underscores__")
            .replace(".", "__dot__")
            .replace("-", "__dash__")
            .replace("/", "__slash__"));
  }
}
