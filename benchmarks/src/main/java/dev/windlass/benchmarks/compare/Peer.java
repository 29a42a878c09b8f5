// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One row of the tables of the comparison: a peer program and the command that starts it.
 *
 * @param name the name of the program's directory
 * @param row the title of the row
 * @param java whether the program uses a Java framework other than Windlass; the lowest figure of
 *     these frameworks is the base of the ratios
 * @param flags the JVM flags that determine which rows are compared with each other
 * @param command the command without the arguments of the run; empty if the program was not built
 */
record Peer(String name, String row, boolean java, Flags flags, List<String> command) {

  /** The JVM flags of a program. A ratio compares programs with the same flags. */
  enum Flags {
    /** The defaults of the JVM. Programs that run without a JVM are compared with these. */
    DEFAULT,
    /** Those of the images in {@code examples}. */
    IMAGE,
    /** Those of the images, with a CDS archive or an AOT cache. */
    ARCHIVE
  }

  private static final List<String> JAVA = List.of("windlass", "client-java", "fabric8", "josdk");
  private static final List<String> NAMES =
      List.of("windlass", "client-java", "fabric8", "josdk", "controller-runtime", "kube-rs");
  private static final String JDK = System.getProperty("java.home");
  private static final List<String> DEFAULT_FLAGS = List.of("-Xmx2g");
  private static final List<String> OWN_EVENTS_IGNORED =
      List.of("-Xmx2g", "-Dcompare.ignoreOwnEvents=true");
  private static final String LONG_WATCHES = "windlass, watch time-out of 5 min";
  private static final List<String> IMAGE_FLAGS =
      List.of("-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** Maps each row of several replicas to their number. */
  private static final SortedMap<String, Integer> REPLICAS =
      new TreeMap<>(Map.of("windlass, 2 replicas", 2, "windlass, 4 replicas", 4));

  /** Maps each JVM flag that uses a CDS archive or an AOT cache to the flag that creates it. */
  private static final Map<String, String> ARCHIVES =
      Map.of(
          "-XX:SharedArchiveFile=", "-XX:ArchiveClassesAtExit=",
          "-XX:AOTCache=", "-XX:AOTCacheOutput=");

  /**
   * Returns all rows.
   *
   * @param directory the directory of the peers
   * @param built the names of the peers that have been built for this run
   * @param jdk25 the home of a JDK 25 for an additional row of Windlass; empty if there is none
   * @param options the peers to run, and whether to add rows for Windlass
   */
  static List<Peer> rows(Path directory, Set<String> built, String jdk25, Options options) {
    List<Peer> rows = new ArrayList<>();
    for (String name : NAMES) {
      if (!options.peers().isEmpty() && !options.peers().contains(name)) {
        continue;
      }
      Path home = directory.resolve(name);
      List<Peer> all =
          switch (name) {
            case "windlass" -> windlass(home, jdk25);
            case "client-java" -> variants(name, home);
            case "controller-runtime" -> List.of(program(name, home.resolve("target/peer")));
            case "kube-rs" ->
                List.of(program(name, home.resolve("target/release/compare-kube-rs")));
            default -> List.of(row(name, name, Flags.DEFAULT, java(JDK, DEFAULT_FLAGS, home)));
          };
      for (Peer peer : options.quick() ? all.subList(0, 1) : all) {
        rows.add(built.contains(name) ? peer : peer.with(List.of()));
      }
    }
    return List.copyOf(rows);
  }

  private static Peer program(String name, Path file) {
    return row(name, name, Flags.DEFAULT, List.of(file.toString()));
  }

  private static Peer row(String name, String row, Flags flags, List<String> command) {
    boolean framework = JAVA.contains(name) && !name.equals("windlass");
    return new Peer(name, row, framework, flags, command);
  }

  private static List<Peer> windlass(Path home, String jdk25) {
    List<Peer> rows = new ArrayList<>(variants("windlass", home));
    rows.add(
        1,
        row(
            "windlass",
            "windlass, own events ignored",
            Flags.DEFAULT,
            java(JDK, OWN_EVENTS_IGNORED, home)));
    if (!jdk25.isEmpty()) {
      rows.add(
          row("windlass", "windlass, JDK 25", Flags.DEFAULT, java(jdk25, DEFAULT_FLAGS, home)));
      rows.add(
          row(
              "windlass",
              "windlass, JDK 25, flags of the images, AOT cache",
              Flags.ARCHIVE,
              java(jdk25, archive(home, "-XX:AOTMode=on", "-XX:AOTCache=", "peer.aot"), home)));
    }
    rows.add(
        row(
            "windlass",
            LONG_WATCHES,
            Flags.DEFAULT,
            java(JDK, List.of("-Xmx2g", "-Dcompare.watchMinutes=5"), home)));
    for (String row : REPLICAS.keySet()) {
      rows.add(row("windlass", row, Flags.DEFAULT, java(JDK, DEFAULT_FLAGS, home)));
    }
    return rows;
  }

  /** Returns the rows of a Java program with all flags on JDK 17. */
  private static List<Peer> variants(String name, Path home) {
    return List.of(
        row(name, name, Flags.DEFAULT, java(JDK, DEFAULT_FLAGS, home)),
        row(name, name + ", flags of the images", Flags.IMAGE, java(JDK, IMAGE_FLAGS, home)),
        row(
            name,
            name + ", flags and archive of the images",
            Flags.ARCHIVE,
            java(JDK, archive(home, "-Xshare:on", "-XX:SharedArchiveFile=", "peer.jsa"), home)));
  }

  private static List<String> archive(Path home, String required, String flag, String file) {
    List<String> flags = new ArrayList<>(IMAGE_FLAGS);
    flags.add(required);
    flags.add(flag + home.resolve("target").resolve(file));
    return flags;
  }

  /**
   * Returns this program with the flag that makes its JVM create the CDS archive or the AOT cache
   * when the program ends. The result is empty if the program uses neither.
   */
  Optional<Peer> training() {
    List<String> creating = new ArrayList<>();
    for (String argument : command) {
      int equals = argument.indexOf('=') + 1;
      String creates = ARCHIVES.get(argument.substring(0, equals));
      if (creates != null) {
        creating.add(creates + argument.substring(equals));
      } else if (!argument.equals("-Xshare:on") && !argument.equals("-XX:AOTMode=on")) {
        creating.add(argument);
      }
    }
    return creating.size() < command.size()
        ? Optional.of(new Peer(name, row + ", training", java, flags, List.copyOf(creating)))
        : Optional.empty();
  }

  /** Checks that each name is the name of a peer. */
  static void requireKnown(List<String> names) {
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException("unknown peer " + name + "; there are " + NAMES);
      }
    }
  }

  /** Returns this program with a further JVM flag. */
  Peer with(String flag) {
    List<String> more = new ArrayList<>(command);
    more.add(1, flag);
    return with(more);
  }

  private Peer with(List<String> other) {
    return new Peer(name, row, java, flags, List.copyOf(other));
  }

  /** Returns the number of processes that divide the objects. */
  int replicas() {
    return REPLICAS.getOrDefault(row, 1);
  }

  /** Returns whether a JVM runs the program. */
  boolean isJava() {
    return JAVA.contains(name);
  }

  /**
   * Returns whether the program takes part in a scenario. The Java Operator SDK needs a reconciler
   * class for each type, so it does not watch many of them. A longer watch time-out matters only if
   * nothing changes.
   */
  boolean runs(Scenario scenario, int objects) {
    return switch (scenario) {
      case IDLE -> replicas() == 1 && (objects == 1 || !name.equals("josdk"));
      case SCALE -> replicas() > 1 || row.equals("windlass") || name.equals("controller-runtime");
      default -> replicas() == 1 && !row.equals(LONG_WATCHES);
    };
  }

  private static List<String> java(String jdk, List<String> flags, Path home) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(jdk, "bin", "java").toString());
    command.addAll(flags);
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.add("-cp");
    // A jar, because the archives of a JVM accept no directories. Its manifest lists the
    // dependencies in Maven's order; with a wildcard, the file system would determine the order,
    // and
    // thus the time to find a class.
    command.add(home.resolve("target/peer.jar").toString());
    command.add("dev.windlass.compare.Peer");
    return command;
  }
}
