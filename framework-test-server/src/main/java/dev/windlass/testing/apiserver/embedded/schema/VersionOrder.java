// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The preference order of API versions, as in apimachinery's {@code version/helpers.go}. Stable
 * versions precede beta versions, and beta versions precede alpha versions. Within each group,
 * higher numbers precede lower ones. Names that do not have the form of a version come last, in
 * alphabetical order.
 */
final class VersionOrder {
  static final Comparator<String> PREFERRED_FIRST =
      Comparator.comparing(VersionOrder::parse).reversed().thenComparing(Comparator.naturalOrder());

  private static final Pattern VERSION = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");
  private static final int STABLE = 3;

  private VersionOrder() {}

  /** The parts of a version. All parts are 0 if the name does not have the form of a version. */
  private record Parts(int stability, long major, long minor) implements Comparable<Parts> {
    @Override
    public int compareTo(Parts other) {
      return Comparator.comparing(Parts::stability)
          .thenComparing(Parts::major)
          .thenComparing(Parts::minor)
          .compare(this, other);
    }
  }

  private static Parts parse(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return new Parts(0, 0, 0);
    }
    String stage = matcher.group(2);
    return new Parts(
        stage == null ? STABLE : stage.equals("beta") ? 2 : 1,
        Long.parseLong(matcher.group(1)),
        stage == null ? 0 : Long.parseLong(matcher.group(3)));
  }
}
