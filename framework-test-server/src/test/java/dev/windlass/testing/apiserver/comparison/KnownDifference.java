// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * A way in which the embedded server differs from a real one on purpose. {@code
 * docs/embedded-server.md} lists the reasons for users.
 *
 * @param pattern what is found in the text of such a {@link Difference}
 */
record KnownDifference(String reason, Pattern pattern, LongAdder occurrences) {

  static final List<KnownDifference> ALL =
      List.of(
          of(
              "A real server closes the connection, because of a Go panic, if a JSON patch accesses"
                  + " what is below a null.",
              "json-patch.* \\| /code \\| [^|]*connection closed"),
          of(
              "An update of the status of a Service that does not exist creates it in a"
                  + " real server.",
              "^(PUT|PATCH) \\S*/services/\\w+/status.* \\| /code .* not found"),
          of(
              "Messages about a whole spec contain the names of Go's internal fields.",
              "essage \\| .*(Invalid|Unsupported) value: \\{\\\\?\"[A-Z]"),
          of(
              "Warnings about the content of a kind are missing, such as one about a dot in the name"
                  + " of a Deployment.",
              "/warnings \\| .*299 - .*(spec\\.|metadata\\.name)"),
          of(
              "Messages about a value of a wrong type in a strategic merge patch differ.",
              "strategic-merge-patch.*essage \\| .*(cannot restore|cannot convert|unrecognized type)"));

  private static KnownDifference of(String reason, String pattern) {
    return new KnownDifference(reason, Pattern.compile(pattern), new LongAdder());
  }

  /** Returns the entry for a difference. */
  static Optional<KnownDifference> find(Difference difference) {
    String text = difference.toString();
    Optional<KnownDifference> known =
        ALL.stream().filter(entry -> entry.pattern().matcher(text).find()).findFirst();
    known.ifPresent(entry -> entry.occurrences().increment());
    return known;
  }
}
