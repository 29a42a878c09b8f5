// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A line of {@code docs/behaviours.tsv}: something that controllers are known to do, or an
 * acceptance run.
 *
 * @param id the number of the document and of the behaviour in it, as {@code 003-31}, or {@code R8}
 * @param text what happens, in one line
 * @param check how to observe it
 * @param state whether a test shows it
 * @param why why it does not apply, or what is different here; may be empty
 */
record Behaviour(String id, String text, String check, State state, String why) {

  /**
   * Whether a test proves it, it can't apply to Windlass, Windlass deliberately does something
   * else, or it is not built yet.
   */
  enum State {
    PROVEN("proven"),
    NOT_APPLICABLE("n/a"),
    DECIDED_OTHERWISE("decided"),
    OPEN("open");

    private final String word;

    State(String word) {
      this.word = word;
    }

    private static State of(String word) {
      return Stream.of(values())
          .filter(state -> state.word.equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no state of a behaviour: " + word));
    }
  }

  static final String FILE = "docs/behaviours.tsv";
  static final String HEADER = "id\tbehaviour\tcheck\tstate\twhy";

  /** How many behaviours each of the five documents has. */
  private static final List<Integer> DOCUMENTS = List.of(137, 102, 49, 90, 41);

  private static final int RUNS = 12;

  boolean isRun() {
    return id.startsWith("R");
  }

  /** The part of the id before the dash. */
  String document() {
    return id.substring(0, 3);
  }

  /** All of them, in the order of the file. */
  static List<Behaviour> all() {
    return Checkout.lines(Checkout.root().resolve(FILE)).stream()
        .skip(1)
        .map(Behaviour::parse)
        .toList();
  }

  private static Behaviour parse(String line) {
    String[] cells = line.split("\t", -1);
    if (cells.length != 5) {
      throw new IllegalArgumentException("five cells with tabs between them are needed: " + line);
    }
    return new Behaviour(cells[0], cells[1], cells[2], State.of(cells[3]), cells[4]);
  }

  /** The ids that there must be, in order. */
  static List<String> expectedIds() {
    Stream<String> behaviours =
        IntStream.range(0, DOCUMENTS.size())
            .boxed()
            .flatMap(
                document ->
                    IntStream.rangeClosed(1, DOCUMENTS.get(document))
                        .mapToObj(number -> "%03d-%02d".formatted(document, number)));
    Stream<String> runs = IntStream.rangeClosed(1, RUNS).mapToObj(number -> "R" + number);
    return Stream.concat(runs, behaviours).toList();
  }
}
