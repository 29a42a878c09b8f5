// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests that carry {@code @Proves}, as the sources of all modules and examples have it. */
final class Proofs {

  private static final Pattern METHOD =
      Pattern.compile("\\s*(?:public )?(?:final )?void (\\w+)\\(.*");
  private static final Pattern MARK =
      Pattern.compile("@Proves\\(\\s*(?:\\{([^}]*)}|(\"[^\"]*\"))\\s*\\)");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
  private static final Pattern TEST =
      Pattern.compile(
          "(?m)^\\s*@(Test|ParameterizedTest|Property|CrashAtEveryWrite|StaleCache|DropEvents)\\b");

  private final Map<String, TreeSet<String>> testsById = new TreeMap<>();
  private final TreeSet<String> noTests = new TreeSet<>();

  private Proofs() {}

  /** Reads all test sources. */
  static Proofs read() {
    Proofs proofs = new Proofs();
    for (Path file : Checkout.sources("test")) {
      List<String> lines = Checkout.lines(file);
      if (lines.contains("import dev.windlass.behaviour.Proves;")) {
        proofs.read(String.valueOf(file.getFileName()).replace(".java", ""), lines);
      }
    }
    return proofs;
  }

  private void read(String className, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      Matcher method = METHOD.matcher(lines.get(i));
      if (method.matches()) {
        read(className + "." + method.group(1), annotationsAbove(lines, i));
      }
    }
  }

  private void read(String test, String annotations) {
    Matcher mark = MARK.matcher(annotations);
    while (mark.find()) {
      if (!TEST.matcher(annotations).find()) {
        noTests.add(test);
      }
      String ids = mark.group(1) == null ? mark.group(2) : mark.group(1);
      Matcher id = QUOTED.matcher(ids);
      while (id.find()) {
        testsById.computeIfAbsent(id.group(1), key -> new TreeSet<>()).add(test);
      }
    }
  }

  /** What stands between a method and the blank line or docstring above it. */
  private static String annotationsAbove(List<String> lines, int method) {
    int first = method;
    while (first > 0
        && !lines.get(first - 1).isBlank()
        && !lines.get(first - 1).strip().endsWith("*/")) {
      first--;
    }
    return String.join("\n", lines.subList(first, method));
  }

  /** The tests that prove a behaviour, as {@code Class.method}, in alphabetical order. */
  List<String> of(String id) {
    return List.copyOf(testsById.getOrDefault(id, new TreeSet<>()));
  }

  /** All ids that some test claims to prove. */
  List<String> ids() {
    return List.copyOf(testsById.keySet());
  }

  /** The ids that each test claims to prove. */
  Map<String, List<String>> perTest() {
    Map<String, List<String>> idsByTest = new TreeMap<>();
    testsById.forEach(
        (id, tests) ->
            tests.forEach(
                test -> idsByTest.computeIfAbsent(test, key -> new ArrayList<>()).add(id)));
    return idsByTest;
  }

  /** Methods that claim to prove something and are no tests. */
  List<String> noTests() {
    return List.copyOf(noTests);
  }
}
