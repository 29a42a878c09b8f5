// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java code in {@code docs} is code that the build compiles.
 *
 * <p>A page that shows a whole file names it by {@code <!-- file: path -->}; licence and package
 * are the file's own affair, and the quick start's package is {@code com.example} in pages.
 *
 * <p>A page names its source in the line before the block, {@code <!-- sample: SomeClass#name -->};
 * there it stands between {@code // sample: name} and {@code // end}. The class may be any of the
 * project; those of {@code dev.windlass.guides} are made for guides, and run what they show.
 *
 * <p>A block that shows the code of another library, which the build does not compile, names this
 * library instead: {@code <!-- other library: name -->}.
 */
final class GuideSamplesTest {

  private static final Pattern REFERENCE = Pattern.compile("<!-- sample: (\\w+#[-\\w]+) -->");
  private static final Pattern FILE = Pattern.compile("<!-- file: (\\S+) -->");
  private static final Pattern OTHER_LIBRARY = Pattern.compile("<!-- other library: .+ -->");
  private static final Pattern BEGIN = Pattern.compile("\\s*// sample: ([-\\w]+)");
  private static final String END = "// end";
  private static final String FENCE = "```";

  /** A block of Java in a page. */
  private record Block(String page, int line, String reference, List<String> code) {
    @Override
    public String toString() {
      return page + ":" + line + " " + reference;
    }
  }

  private static Stream<Path> pages() {
    return Checkout.filesBelow(Checkout.root().resolve("docs")).stream()
        .filter(page -> page.toString().endsWith(".md"));
  }

  static Stream<Block> blocks() {
    return pages().flatMap(page -> blocks(page).stream());
  }

  private static List<Block> blocks(Path page) {
    List<String> lines = Checkout.lines(page);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String before = i == 0 ? "" : lines.get(i - 1);
      Matcher reference = REFERENCE.matcher(before);
      Matcher file = FILE.matcher(before);
      boolean foreign = OTHER_LIBRARY.matcher(before).matches();
      if (!foreign && lines.get(i).equals(FENCE + "java") || file.matches()) {
        String named = reference.matches() ? reference.group(1) : file.matches() ? before : "";
        int begin = i + 1;
        int end = lines.subList(begin, lines.size()).indexOf(FENCE) + begin;
        String name = String.valueOf(page.getFileName());
        blocks.add(new Block(name, begin, named, lines.subList(begin, end)));
      }
    }
    return blocks;
  }

  /** All samples of the project, by {@code SomeClass#name}. */
  private static final Map<String, List<String>> SAMPLES = samples();

  private static Map<String, List<String>> samples() {
    Map<String, List<String>> samples = new TreeMap<>();
    Stream.of("main", "test")
        .flatMap(sourceSet -> Checkout.sources(sourceSet).stream())
        .forEach(file -> collect(file, samples));
    return samples;
  }

  private static void collect(Path file, Map<String, List<String>> samples) {
    String type = String.valueOf(file.getFileName()).replace(".java", "");
    List<String> lines = Checkout.lines(file);
    for (int i = 0; i < lines.size(); i++) {
      Matcher begin = BEGIN.matcher(lines.get(i));
      if (begin.matches()) {
        List<String> code = new ArrayList<>();
        for (i++; !lines.get(i).strip().equals(END); i++) {
          code.add(lines.get(i));
        }
        assertThat(samples.put(type + "#" + begin.group(1), shifted(code)))
            .as("another sample called %s#%s", type, begin.group(1))
            .isNull();
      }
    }
  }

  /** Without the margin that all lines have, and without empty lines at the end. */
  private static List<String> shifted(List<String> code) {
    int margin =
        code.stream()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    List<String> shifted =
        new ArrayList<>(
            code.stream().map(line -> line.isBlank() ? "" : line.substring(margin)).toList());
    while (!shifted.isEmpty() && shifted.get(shifted.size() - 1).isEmpty()) {
      shifted.remove(shifted.size() - 1);
    }
    return shifted;
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void eachBlockIsTheCodeThatItNames(Block block) {
    assertThat(block.reference())
        .as("%s: a line <!-- sample: SomeClass#name --> before the block", block)
        .isNotEmpty();
    Matcher file = FILE.matcher(block.reference());
    if (file.matches()) {
      Path shown = Checkout.root().resolve(file.group(1));
      assertThat(content(block.code())).as("%s", block).isEqualTo(content(Checkout.lines(shown)));
      return;
    }
    assertThat(SAMPLES).containsKey(block.reference());
    assertThat(block.code()).as("%s", block).isEqualTo(SAMPLES.get(block.reference()));
  }

  private static List<String> content(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.startsWith("// SPDX-") && !line.startsWith("package "))
        .map(line -> line.replace("dev.windlass.examples.quickstart", "com.example"))
        .dropWhile(String::isBlank)
        .toList();
  }

  @Test
  void eachSampleIsShownSomewhere() {
    assertThat(new TreeSet<>(blocks().map(Block::reference).toList()))
        .containsAll(SAMPLES.keySet());
  }
}
