// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public interface of each module stands in {@code docs/api}, so that a review sees when it
 * changes. A change that is meant is written there with {@link #REMEDY}.
 */
final class ApiDumpTest {

  private static final String REMEDY =
      "mvn test -pl system-tests -am -Dtest=ApiDumpTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dapi.dump=write";

  private static final Pattern TYPE = Pattern.compile("dev\\.windlass[\\w.$]+");

  private static Stream<String> modules() {
    return Checkout.FRAMEWORK.stream();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void thePublicInterfaceIsTheOneThatIsWrittenDown(String module) throws IOException {
    Path file = Checkout.root().resolve("docs/api/" + module + ".txt");
    String now = ApiDump.of(shippedBy(module));
    assertThat(now).as("the public interface of %s", module).isNotEmpty();
    assertThat(now.lines()).noneMatch(line -> line.contains("jackson")); // is internal
    if ("write".equals(System.getProperty("api.dump"))) {
      Files.createDirectories(Checkout.root().resolve("docs/api"));
      Files.writeString(file, now);
    }
    List<String> written = Files.exists(file) ? Checkout.lines(file) : List.of();
    assertThat(changes(entries(written), entries(now.lines().toList())))
        .as("changes of the public interface against %s; if they are meant, run: %s", file, REMEDY)
        .isEmpty();
  }

  /** Each line, a member's with the type that it belongs to. */
  private static List<String> entries(List<String> lines) {
    List<String> entries = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      if (line.startsWith(" ")) {
        entries.add(type + ": " + line.strip());
      } else if (!line.isEmpty()) {
        Matcher name = TYPE.matcher(line);
        type = name.find() ? name.group() : line;
        entries.add(line);
      }
    }
    return entries;
  }

  private static List<String> changes(List<String> before, List<String> after) {
    List<String> changes = new ArrayList<>();
    before.stream()
        .filter(line -> !after.contains(line))
        .map("removed: "::concat)
        .forEach(changes::add);
    after.stream()
        .filter(line -> !before.contains(line))
        .map("added: "::concat)
        .forEach(changes::add);
    if (changes.isEmpty() && !before.equals(after)) {
      changes.add("the order");
    }
    return changes;
  }

  private static List<String> shippedBy(String module) {
    List<String> names = new ArrayList<>(Checkout.classNames(module, "target/classes"));
    Set<String> internal = Checkout.internal();
    names.removeIf(name -> internal.contains(packageOf(name)));
    return names;
  }

  private static String packageOf(String className) {
    return className.substring(0, className.lastIndexOf('.'));
  }
}
