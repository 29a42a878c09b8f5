// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One row of the tables of the comparison: a peer program and the command that starts it.
 *
 * @param name the name of the program's directory
 * @param row the title of the row
 * @param java whether the program uses a Java framework other than Windlass; the lowest figure of
 *     these frameworks is the base of the ratios
 * @param command the command without the arguments of the run; empty if the program was not built
 */
record Peer(String name, String row, boolean java, List<String> command) {

  private static final List<String> JAVA = List.of("windlass", "client-java", "fabric8", "josdk");
  private static final List<String> NAMES =
      List.of("windlass", "client-java", "fabric8", "josdk", "controller-runtime", "kube-rs");
  private static final List<String> DEFAULT_FLAGS = List.of("-Xmx2g");
  private static final List<String> OWN_EVENTS_IGNORED =
      List.of("-Xmx2g", "-Dcompare.ignoreOwnEvents=true");
  private static final List<String> IMAGE_FLAGS =
      List.of("-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

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
      boolean runs = built.contains(name);
      if (!JAVA.contains(name)) {
        String program = name.equals("kube-rs") ? "target/release/compare-kube-rs" : "target/peer";
        rows.add(
            new Peer(
                name, name, false, runs ? List.of(home.resolve(program).toString()) : List.of()));
        continue;
      }
      String jdk = System.getProperty("java.home");
      boolean framework = !name.equals("windlass");
      rows.add(new Peer(name, name, framework, runs ? java(jdk, DEFAULT_FLAGS, home) : List.of()));
      if (name.equals("windlass") && !options.quick()) {
        for (Map.Entry<String, List<String>> more : variants(jdk, jdk25, home).entrySet()) {
          rows.add(new Peer(name, more.getKey(), false, runs ? more.getValue() : List.of()));
        }
      }
    }
    return List.copyOf(rows);
  }

  /** Returns the titles and the commands of the additional rows of Windlass, in order. */
  private static Map<String, List<String>> variants(String jdk, String jdk25, Path home) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    rows.put("windlass, own events ignored", java(jdk, OWN_EVENTS_IGNORED, home));
    rows.put("windlass, flags of the images", java(jdk, IMAGE_FLAGS, home));
    rows.put(
        "windlass, flags and archive of the images",
        java(jdk, archive(home, "-Xshare:on", "-XX:SharedArchiveFile=", "peer.jsa"), home));
    if (!jdk25.isEmpty()) {
      rows.put("windlass, JDK 25", java(jdk25, DEFAULT_FLAGS, home));
      rows.put(
          "windlass, JDK 25, flags of the images, AOT cache",
          java(jdk25, archive(home, "-XX:AOTMode=on", "-XX:AOTCache=", "peer.aot"), home));
    }
    return rows;
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
        ? Optional.of(new Peer(name, row + ", training", java, List.copyOf(creating)))
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
    return new Peer(name, row, java, List.copyOf(more));
  }

  /** Returns whether a JVM runs the program. */
  boolean isJava() {
    return JAVA.contains(name);
  }

  /** Returns whether the program has the mode {@code idle}, which watches several types. */
  boolean watchesManyTypes() {
    return !name.equals("josdk");
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
