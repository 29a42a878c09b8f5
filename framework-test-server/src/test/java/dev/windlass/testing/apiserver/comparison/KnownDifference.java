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

  /** The differences that occur, with what is found in the text of such a {@link Difference}. */
  static final List<KnownDifference> ALL =
      List.of(
          of(
              "A real server closes the connection, because of a Go panic, if a JSON patch "
                  + "accesses what is below a null.",
              "json-patch.* \\| /code \\| [^|]*connection closed"),
          of(
              "An update of the status of a Service that does not exist creates it in a real "
                  + "server.",
              "^(PUT|PATCH) \\S*/services/\\w+/status.* \\| /code .* not found"),
          of(
              "Warnings about the content of a kind are missing, such as one about a dot in "
                  + "the name of a Deployment.",
              "/warnings \\| .*299 - .*(spec\\.|metadata\\.name)"),
          of(
              "A real server forgets that the time of a deletion has an owner in an update "
                  + "that does not contain it.",
              "managedFields \\| .*f:deletion"),
          of(
              "A wrong kind of a custom resource and a changed uid in a patch are reported "
                  + "without other errors.",
              "causes.* \\| .*(metadata\\.uid|\"kind\"|must be (Gadget|Widget))"));

  /** The differences that do not occur, because they are normalised or not provoked. */
  static final List<String> AVOIDED =
      List.of(
          "The owners of fields are recorded only after a request has named a field " + "manager.",
          "A real server lists the entries of managedFields by their times, which have "
              + "whole seconds, and lists several causes and conflicts in any order, or "
              + "repeatedly.",
          "A server-side apply to the scale subresource is rejected, and a write to it "
              + "that changes nothing does not change the owners of fields.",
          "A real server stores empty lists and maps in the metadata of an applied custom "
              + "resource, which no client sees. The next write removes them and creates a new "
              + "resourceVersion.",
          "An object that an apply or an update creates with a deletionTimestamp is not "
              + "being deleted.",
          "A real server searches all addresses, for up to a minute, if the name of a new "
              + "Service is invalid.",
          "A read with resourceVersion=0 returns the current state; in a real server, the "
              + "state can be older.");

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
