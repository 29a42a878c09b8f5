// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Shows which parts of the Java programs use the CPU. async-profiler runs in the JVM of each
 * program and writes the stacks of its samples into a file, from the start of the JVM until the
 * program ends. This class is not thread-safe.
 */
final class Profile {

  /**
   * A part of a program. A sample belongs to the first part whose thread matches; otherwise to the
   * part of the innermost frame that belongs to a part, so that a call of {@code HashMap} counts
   * for its caller.
   */
  enum Part {
    COMPILER_1("JIT, first stage", "C1 Compiler", null),
    COMPILER_2("JIT, second stage", "C2 Compiler", null),
    COLLECTOR("garbage collector", "GC Thread|G1 |VM Thread", null),
    CLASSES(
        "classes, lambdas",
        null,
        "java/lang/ClassLoader|java/lang/invoke/|java/lang/reflect/Proxy|jdk/internal/loader/"
            + "|.*(SystemDictionary|InterpreterRuntime::resolve|ClassFileParser|link_class)"),
    TLS("TLS", null, "sun/security/|com/sun/crypto/|javax/net/ssl/|javax/crypto/"),
    JSON(
        "JSON",
        null,
        "com/fasterxml/jackson/|com/google/gson/|io/fabric8/kubernetes/model/jackson/"
            + "|io/fabric8/kubernetes/client/utils/KubernetesSerialization"
            + "|dev/windlass/object/"),
    HTTP(
        "HTTP",
        null,
        "dev/windlass/transport/|dev/windlass/client/pipeline/|dev/windlass/rest/"
            + "|io/fabric8/kubernetes/client/(http|okhttp|vertx|jdkhttp)/|io/vertx/|io/netty/"
            + "|okhttp3/|okio/|sun/nio/ch/|java/net/|java/net/http/"),
    FRAMEWORK(
        "framework",
        null,
        "dev/windlass/(?!compare/)|io/kubernetes/|io/fabric8/|io/javaoperatorsdk/"),
    OTHER("other", null, null);

    private final String title;
    private final Pattern thread;
    private final Pattern frame;

    Part(String title, String thread, String frame) {
      // "$^" matches no name.
      this.title = title;
      this.thread = Pattern.compile(thread == null ? "$^" : thread);
      this.frame = Pattern.compile(frame == null ? "$^" : frame);
    }

    private static Part ofThread(String thread) {
      for (Part part : values()) {
        if (part.thread.matcher(thread).find()) {
          return part;
        }
      }
      return OTHER;
    }

    private static Part ofFrame(String frame) {
      for (Part part : values()) {
        if (part.frame.matcher(frame).lookingAt()) {
          return part;
        }
      }
      return OTHER;
    }
  }

  private final Path library;
  private final Map<String, Path> files = new LinkedHashMap<>();

  /**
   * Creates a profile without samples.
   *
   * @param library the library of async-profiler, {@code libasyncProfiler.so}
   * @throws IllegalArgumentException if the file does not exist
   */
  Profile(Path library) {
    if (!Files.isRegularFile(library)) {
      throw new IllegalArgumentException(
          "--profile needs the file libasyncProfiler.so of async-profiler; "
              + library
              + " does not exist");
    }
    this.library = library;
  }

  /**
   * Returns the JVM flag that profiles a run.
   *
   * @param run the title of the run in the table
   * @param file the file for the samples
   */
  String flag(String run, Path file) {
    files.put(run, file);
    return "-agentpath:"
        + library.toAbsolutePath()
        + "=start,event=ctimer,interval=1ms,threads,collapsed,file="
        + file.toAbsolutePath();
  }

  /** Returns a table of the runs, with the share of each part in the CPU time. */
  String markdown() throws IOException {
    StringBuilder text = new StringBuilder("**Share of the CPU time in per cent**\n\n| run |");
    for (Part part : Part.values()) {
      text.append(' ').append(part.title).append(" |");
    }
    text.append(" samples |\n|---|").append("--:|".repeat(Part.values().length + 1)).append('\n');
    for (Map.Entry<String, Path> run : files.entrySet()) {
      Map<Part, Long> samples = parts(Files.readAllLines(run.getValue()));
      long all = samples.values().stream().mapToLong(Long::longValue).sum();
      text.append("| ").append(run.getKey()).append(" |");
      for (Part part : Part.values()) {
        double share = 100.0 * samples.getOrDefault(part, 0L) / Math.max(1, all);
        text.append(String.format(Locale.ROOT, " %.1f |", share));
      }
      text.append(' ').append(all).append(" |\n");
    }
    return text.toString();
  }

  /**
   * Counts the samples of each part.
   *
   * @param stacks a line for each stack: the thread and the frames, outermost first and separated
   *     by semicolons, then a space and the number of samples
   */
  static Map<Part, Long> parts(List<String> stacks) {
    Map<Part, Long> samples = new EnumMap<>(Part.class);
    for (String stack : stacks) {
      int space = stack.lastIndexOf(' ');
      List<String> frames = new ArrayList<>(List.of(stack.substring(0, space).split(";")));
      Part part = Part.ofThread(frames.remove(0));
      Collections.reverse(frames);
      for (int i = 0; part == Part.OTHER && i < frames.size(); i++) {
        part = Part.ofFrame(frames.get(i));
      }
      samples.merge(part, Long.parseLong(stack.substring(space + 1)), Long::sum);
    }
    return samples;
  }
}
