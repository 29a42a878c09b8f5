// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * The options of one comparison.
 *
 * @param scenarios the scenarios to run
 * @param peers the names of the peers to run; empty for all peers
 * @param skipped the rows to leave out: those whose titles contain one of these texts
 * @param rounds the number of rounds; 0 to print the results of an earlier run
 * @param limit the upper limit for the number of objects, at least 1; it replaces larger numbers of
 *     a scenario
 * @param quick whether to run one small round without the additional rows of Windlass
 * @param full whether to run all scenarios with all numbers of objects
 * @param resume whether to keep the results of an earlier run, and to measure only what is missing
 * @param writeDocs whether to write the results to {@code docs/performance}
 * @param profile the profile of the Java programs, if they are to be profiled
 */
record Options(
    Set<Scenario> scenarios,
    List<String> peers,
    List<String> skipped,
    int rounds,
    int limit,
    boolean quick,
    boolean full,
    boolean resume,
    boolean writeDocs,
    Optional<Profile> profile) {

  private static final int ROUNDS = 3;

  Options {
    if (rounds < 0 || limit < 1) {
      throw new IllegalArgumentException("--rounds must be at least 0, and --objects at least 1");
    }
  }

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an option or a value is unknown; the message names it
   */
  static Options parse(String... arguments) {
    Set<Scenario> scenarios = EnumSet.noneOf(Scenario.class);
    List<String> peers = List.of();
    List<String> skipped = List.of();
    int rounds = ROUNDS;
    int limit = Integer.MAX_VALUE;
    boolean quick = false;
    boolean full = false;
    boolean resume = false;
    boolean writeDocs = false;
    Optional<Profile> profile = Optional.empty();
    Queue<String> rest = new ArrayDeque<>(Arrays.asList(arguments));
    while (!rest.isEmpty()) {
      String option = rest.remove();
      switch (option) {
        case "--scenarios" -> {
          for (String name : value(option, rest).split(",")) {
            scenarios.add(scenario(name));
          }
        }
        case "--peers" -> {
          peers = List.of(value(option, rest).split(","));
          Peer.requireKnown(peers);
        }
        case "--skip" -> skipped = List.of(value(option, rest).split(","));
        case "--rounds" -> rounds = number(option, value(option, rest));
        case "--objects" -> limit = number(option, value(option, rest));
        case "--quick" -> quick = true;
        case "--full" -> full = true;
        case "--resume" -> resume = true;
        case "--write-docs" -> writeDocs = true;
        case "--profile" -> profile = Optional.of(new Profile(Path.of(value(option, rest))));
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    if (quick && (writeDocs || full)) {
      throw new IllegalArgumentException("--quick measures too little for --full and --write-docs");
    }
    if (profile.isPresent() && (writeDocs || resume)) {
      throw new IllegalArgumentException(
          "--profile slows the programs down, so it excludes --write-docs and --resume");
    }
    if (scenarios.isEmpty()) {
      for (Scenario scenario : Scenario.values()) {
        if (full || (scenario.isDefault() && !(quick && scenario == Scenario.LATENCY))) {
          scenarios.add(scenario);
        }
      }
    }
    rounds = quick ? 1 : rounds;
    return new Options(
        Set.copyOf(scenarios),
        peers,
        skipped,
        rounds,
        limit,
        quick,
        full,
        resume,
        writeDocs,
        profile);
  }

  /** Returns whether to leave out a row, whose earlier results the tables still contain. */
  boolean skips(String row) {
    return skipped.stream().anyMatch(row::contains);
  }

  /** Returns the number of rounds of a scenario. */
  int rounds(Scenario scenario) {
    return scenario.isSimultaneous() ? Math.min(1, rounds) : rounds;
  }

  /** Returns the numbers of objects with which a scenario runs. */
  List<Integer> objects(Scenario scenario) {
    return (quick ? scenario.quick() : full ? scenario.full() : scenario.normal())
        .stream().map(count -> Math.min(count, limit)).distinct().toList();
  }

  private static String value(String option, Queue<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.remove();
  }

  private static int number(String option, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number, not " + value, e);
    }
  }

  private static Scenario scenario(String name) {
    try {
      return Scenario.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("unknown scenario " + name, e);
    }
  }
}
