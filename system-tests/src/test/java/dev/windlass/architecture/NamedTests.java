// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tests that pages of {@code docs} name as proofs: {@code `SomeTest.doesSomething`}. */
final class NamedTests {

  private static final Pattern CODE = Pattern.compile("`([^`]*)`");
  private static final Pattern TEST =
      Pattern.compile("([A-Z]\\w*(?:Test|IT|Contract))\\.([a-z]\\w*)");

  private final Map<String, List<String>> sources =
      Checkout.sources("test").stream()
          .collect(Collectors.toMap(NamedTests::className, Checkout::lines, (a, b) -> a));

  private static String className(Path file) {
    return String.valueOf(file.getFileName()).replace(".java", "");
  }

  /** Whether a text names any. */
  static boolean areIn(String text) {
    return TEST.matcher(text).find();
  }

  /** What a text names in code quotes, and what is no test. */
  List<String> missing(String text) {
    List<String> missing = new ArrayList<>();
    Matcher code = CODE.matcher(text);
    while (code.find()) {
      Matcher test = TEST.matcher(code.group(1));
      if (!test.matches() || !isTest(lines(test.group(1)), test.group(2))) {
        missing.add(code.group(1));
      }
    }
    return missing;
  }

  private List<String> lines(String type) {
    return sources.getOrDefault(type, List.of());
  }

  /** A method of that name with an annotation that makes it a test right above it. */
  private static boolean isTest(List<String> lines, String method) {
    Pattern declaration = Pattern.compile("\\s*(public )?void " + method + "\\(.*");
    for (int i = 1; i < lines.size(); i++) {
      if (declaration.matcher(lines.get(i)).matches()) {
        for (int above = i - 1; above >= 0 && !lines.get(above).isBlank(); above--) {
          if (lines
              .get(above)
              .matches(
                  "\\s*@(Test|ParameterizedTest|Property|CrashAtEveryWrite|StaleCache|DropEvents)\\b.*")) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
