// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/architecture.md} speaks of what there is, in the words that others use. */
final class WordsTest {

  private static final Pattern CODE = Pattern.compile("`[a-z.]*([A-Z]\\w+)(?:\\.[a-z]\\w*)?`");

  private final List<String> lines =
      Checkout.lines(Checkout.root().resolve("docs/architecture.md"));

  private List<String> section(String title) {
    int first = lines.indexOf("## " + title);
    assertThat(first).as("the section %s", title).isNotNegative();
    List<String> rest = lines.subList(first + 1, lines.size());
    return rest.stream().takeWhile(line -> !line.startsWith("## ")).toList();
  }

  private static Set<String> classes() {
    return Checkout.sources("main").stream()
        .map(file -> String.valueOf(file.getFileName()).replace(".java", ""))
        .collect(Collectors.toSet());
  }

  @Test
  @Proves("001-94")
  void eachTermOfTheFieldHasAClassThatExists() {
    List<String> rows = section("Words").stream().filter(row -> row.startsWith("| ")).toList();
    for (String term :
        List.of(
            "Reflector",
            "Delta FIFO",
            "Informer",
            "Indexer",
            "thread-safe store",
            "Resource event handler",
            "Work queue",
            "Process item")) {
      assertThat(rows).as(term).anyMatch(row -> row.split("\\|", -1)[1].contains(term));
    }
    List<String> unknown = new ArrayList<>();
    for (String row : rows.subList(1, rows.size())) {
      Matcher code = CODE.matcher(row.split("\\|", -1)[2]);
      assertThat(code.find()).as("a class in: %s", row).isTrue();
      do {
        if (!classes().contains(code.group(1))) {
          unknown.add(code.group(1));
        }
      } while (code.find());
    }
    assertThat(unknown).as("classes that do not exist").isEmpty();
  }

  @Test
  @Proves("002-42")
  void eachKindOfThreadIsDescribed() {
    assertThat(String.join("\n", section("Threads")))
        .contains(
            "-reflector`",
            "-applier`",
            "-handler-<n>`",
            "-starter`",
            "-source-<n>`",
            "-worker-<n>`");
  }

  @Test
  @Proves("004-20")
  void aPictureShowsTheParts() {
    int first = lines.indexOf("```");
    List<String> picture = lines.subList(first + 1, lines.size());
    assertThat(picture.stream().takeWhile(line -> !line.equals("```")).toList())
        .anySatisfy(line -> assertThat(line).contains("Reflector", "DeltaFifo", "Indexer"))
        .anySatisfy(line -> assertThat(line).contains("WorkQueue", "Worker", "Reconciler"));
  }

  /** A reconcile that waits keeps a worker from everybody else; it comes again instead. */
  @Test
  @Proves("000-60")
  void noReconcilerOfTheExamplesWaits() {
    List<String> reconcilers =
        Checkout.sources("main").stream()
            .filter(file -> file.startsWith(Checkout.root().resolve("examples")))
            .map(file -> String.join("\n", Checkout.lines(file)))
            .filter(source -> source.contains("implements Reconciler"))
            .toList();
    assertThat(reconcilers).isNotEmpty();
    assertThat(reconcilers)
        .noneMatch(source -> source.contains("Thread.sleep") || source.contains(".await("));
  }
}
