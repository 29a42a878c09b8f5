// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/**
 * A row of {@code docs/mutations.tsv}: the code, broken in one place, and the tests that must fail.
 * {@code .ci/Mutations.java} carries it out.
 *
 * @param what {@code planted N} for a known bug of other systems, ids of behaviours, or a topic,
 *     separated by commas
 * @param file the path of a file in the checkout
 * @param how what is broken
 * @param was a text that the file contains once
 * @param becomes the text that replaces it
 * @param tests names such as {@code SomeTest.doesSomething}
 */
record Mutation(
    String what, String file, String how, String was, String becomes, List<String> tests) {

  static final String FILE = "docs/mutations.tsv";
  private static final String PLANTED = "planted ";
  static final String HEADER = "what\tfile\thow\twas\tbecomes\ttests";

  /** Returns all rows, in the order of the table. */
  static List<Mutation> all() {
    return Checkout.lines(Checkout.root().resolve(FILE)).stream()
        .skip(1)
        .map(Mutation::parse)
        .toList();
  }

  private static Mutation parse(String line) {
    String[] cells = line.split("\t", -1);
    if (cells.length != 6) {
      throw new IllegalArgumentException("six cells with tabs between them are needed: " + line);
    }
    return new Mutation(
        cells[0],
        cells[1],
        cells[2],
        cells[3].translateEscapes(),
        cells[4].translateEscapes(),
        List.of(cells[5].split(" ")));
  }

  /** Returns how often the file contains the text. */
  int occurrences() {
    String text;
    try {
      text = Files.readString(Checkout.root().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int count = 0;
    for (int at = text.indexOf(was); at >= 0; at = text.indexOf(was, at + 1)) {
      count++;
    }
    return count;
  }

  /** Returns the ids of behaviours and runs; empty for a topic. */
  List<String> ids() {
    List<String> words = words().filter(word -> !word.startsWith(PLANTED)).toList();
    return words.stream().allMatch(word -> word.matches("R?[0-9][-0-9]*")) ? words : List.of();
  }

  /** Returns the numbers of the known bugs that this row plants. */
  List<Integer> planted() {
    return words()
        .filter(word -> word.startsWith(PLANTED))
        .map(word -> Integer.valueOf(word.substring(PLANTED.length())))
        .toList();
  }

  private Stream<String> words() {
    return Stream.of(what.split(", "));
  }

  @Override
  public String toString() {
    return what + ": " + how + " (" + file + ")";
  }
}
