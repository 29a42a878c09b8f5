// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;

/**
 * The string functions {@code find} and {@code findAll}, which search for matches of a regular
 * expression.
 */
final class RegexFunctions {
  private RegexFunctions() {}

  static CelLibrary library() {
    return new CelLibrary()
        .method(
            "find",
            SimpleType.STRING,
            List.of(SimpleType.STRING, SimpleType.STRING),
            args -> {
              List<String> found = findAll((String) args[0], (String) args[1], 1);
              return found.isEmpty() ? "" : found.get(0);
            })
        .method(
            "findAll",
            JavaTypes.STRINGS,
            List.of(SimpleType.STRING, SimpleType.STRING),
            args -> findAll((String) args[0], (String) args[1], -1))
        .method(
            "findAll",
            JavaTypes.STRINGS,
            List.of(SimpleType.STRING, SimpleType.STRING, SimpleType.INT),
            args -> findAll((String) args[0], (String) args[1], (Long) args[2]));
  }

  /** Returns the first {@code limit} matches, or all matches if {@code limit} is negative. */
  private static List<String> findAll(String text, String pattern, long limit) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while ((limit < 0 || found.size() < limit) && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }
}
