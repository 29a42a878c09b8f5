// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
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
 * The Java code in {@code docs/guides} is code that the build compiles.
 *
 * <p>A guide names its source in the line before the block, {@code <!-- sample: SomeClass#name
 * -->}; there it stands between {@code // sample: name} and {@code // end}. The class may be any of
 * the project; those of {@code dev.windlass.guides} are made for guides, and run what they show.
 */
final class GuideSamplesTest {

  private static final Pattern REFERENCE = Pattern.compile("<!-- sample: (\\w+#[-\\w]+) -->");
  private static final Pattern BEGIN = Pattern.compile("\\s*// sample: ([-\\w]+)");
  private static final String END = "// end";
  private static final String FENCE = "```";

  /** A block of Java in a guide. */
  private record Block(String guide, int line, String reference, List<String> code) {
    @Override
    public String toString() {
      return guide + ":" + line + " " + reference;
    }
  }

  private static Stream<Path> guides() {
    Path guides = Checkout.root().resolve("docs/guides");
    return Files.isDirectory(guides) ? Checkout.filesBelow(guides).stream() : Stream.empty();
  }

  static Stream<Block> blocks() {
    return guides().flatMap(guide -> blocks(guide).stream());
  }

  private static List<Block> blocks(Path guide) {
    List<String> lines = Checkout.lines(guide);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals(FENCE + "java")) {
        Matcher reference = REFERENCE.matcher(i == 0 ? "" : lines.get(i - 1));
        String named = reference.matches() ? reference.group(1) : "";
        int begin = i + 1;
        int end = lines.subList(begin, lines.size()).indexOf(FENCE) + begin;
        String name = String.valueOf(guide.getFileName());
        blocks.add(new Block(name, begin, named, lines.subList(begin, end)));
      }
    }
    return blocks;
  }

  /** All samples of the project, by {@code SomeClass#name}. */
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
    assertThat(samples()).containsKey(block.reference());
    assertThat(block.code()).as("%s", block).isEqualTo(samples().get(block.reference()));
  }

  @Test
  void eachSampleIsShownSomewhere() {
    assertThat(new TreeSet<>(blocks().map(Block::reference).toList()))
        .containsAll(samples().keySet());
  }
}
