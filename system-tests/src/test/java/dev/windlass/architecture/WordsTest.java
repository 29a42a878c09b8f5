// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.windlass.behaviour.Proves;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages speak of what exists, in the field's words. */
final class WordsTest {

  private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)\\(");

  /** These name what was there before. */
  private static final Set<String> OF_THE_PAST = Set.of("CHANGELOG.md", "migration.md");

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

  /** The eight terms of the diagram, each with the class that plays the part. */
  @Test
  @Proves("001-94")
  void eachTermOfTheDiagramHasTheClassThatPlaysThePart() {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("Reflector", "informer.reflector.Reflector");
    parts.put("Delta FIFO queue", "informer.fifo.DeltaFifo");
    parts.put("Informer", "informer.Informer");
    parts.put("Indexer", "informer.index.Indexer");
    parts.put("thread-safe store", "informer.index.ConcurrentStore");
    parts.put("Resource event handler", "informer.notify.ResourceEventHandler");
    parts.put("Work queue", "workqueue.WorkQueue");
    parts.put("Process item", "controller.running.Worker");
    List<String> sources =
        Checkout.sources("main").stream().map(file -> file.toString().replace('\\', '/')).toList();
    parts.forEach(
        (term, part) -> {
          String[] row =
              rows().stream()
                  .map(line -> line.split("\\|", -1))
                  .filter(cells -> List.of(cells[1].trim().split(", ")).contains(term))
                  .findFirst()
                  .orElseThrow(() -> new AssertionError("no row for " + term));
          String simple = part.substring(part.lastIndexOf('.') + 1);
          assertThat(row[2]).as(term).containsAnyOf("`" + part + "`", "`" + simple + "`");
          assertThat(sources)
              .as("%s is where the page says", part)
              .anyMatch(file -> file.endsWith("dev/windlass/" + part.replace('.', '/') + ".java"));
        });
  }

  @Test
  void noRowNamesAClassThatDoesNotExist() {
    List<String> unknown = new ArrayList<>();
    for (String row : rows().subList(1, rows().size())) {
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

  /** A page names a method as {@code `Type.method(...)`}. */
  @Test
  void noPageNamesAMethodThatDoesNotExist() {
    Map<String, Set<String>> methods =
        Checkout.mainClasses().stream()
            .collect(
                Collectors.toMap(JavaClass::getSimpleName, WordsTest::methodsOf, WordsTest::union));
    List<String> named = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (Path page : pages()) {
      for (String line : Checkout.lines(page)) {
        METHOD
            .matcher(line)
            .results()
            .filter(name -> methods.containsKey(name.group(1)))
            .peek(name -> named.add(name.group()))
            .filter(name -> !methods.get(name.group(1)).contains(name.group(2)))
            .forEach(name -> unknown.add(page.getFileName() + ": " + name.group()));
      }
    }
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(unknown).isEmpty();
  }

  private static List<Path> pages() {
    return Checkout.filesBelow(Checkout.root()).stream()
        .filter(file -> file.toString().endsWith(".md"))
        .filter(file -> !OF_THE_PAST.contains(String.valueOf(file.getFileName())))
        .filter(file -> !file.toString().contains("/adr/"))
        .toList();
  }

  private static Set<String> methodsOf(JavaClass type) {
    return type.getAllMethods().stream().map(JavaMethod::getName).collect(Collectors.toSet());
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    return Stream.of(one, other).flatMap(Set::stream).collect(Collectors.toSet());
  }

  private List<String> rows() {
    return section("Terms").stream().filter(row -> row.startsWith("| ")).toList();
  }

  @Test
  @Proves("004-20")
  void aPictureShowsTheParts() {
    assertThat(lines).anyMatch(line -> line.endsWith("](diagrams/event-path.svg)"));
    Path picture = Checkout.root().resolve("docs/diagrams/event-path.svg");
    assertThat(String.join("\n", Checkout.lines(picture)))
        .contains("Reflector", "DeltaFifo", "Indexer", "WorkQueue", "Worker", "Reconciler");
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
