// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.benchmarks.InformerRun.Library;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Profiles the time and memory use of the informers that {@link InformerComparison} compares. For
 * each library, it prints the largest classes of the heap after the sync, the CPU time per thread,
 * the hot methods and the allocation sites.
 *
 * <p>System property, with its default: {@code bench.objects} (20,000). The benchmark needs {@code
 * KUBEBUILDER_ASSETS}.
 */
public final class InformerProfile {

  private static final int TOP = 15;

  private static final Pattern HISTOGRAM = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+\\d+\\s+\\S.*");

  private InformerProfile() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int objects = Integer.getInteger("bench.objects", 20_000);
    try (RealApiServer server = RealApiServer.builder().start();
        KubernetesClient client = BenchObjects.client(server.clientConfig())) {
      BenchObjects.load(client, objects);
      Path directory = Files.createTempDirectory("windlass-profile");
      Path kubeconfig = Files.writeString(directory.resolve("config"), server.kubeconfig());
      for (Library library : Library.values()) {
        profile(library, kubeconfig, directory.resolve(library + ".jfr"), objects);
      }
      Files.delete(kubeconfig);
      System.out.println("The recordings are in " + directory);
    }
    System.exit(0); // the transport may leave threads running
  }

  private static void profile(Library library, Path kubeconfig, Path recording, int objects)
      throws IOException, InterruptedException {
    List<String> output =
        ChildJvm.run(
                InformerRun.class,
                List.of(
                    "-Xmx2g",
                    "-Xlog:jfr+startup=off",
                    "-XX:StartFlightRecording=settings=profile,jdk.Compilation#threshold=0,filename="
                        + recording),
                List.of(library.name(), kubeconfig.toString(), String.valueOf(objects), "profile"),
                Duration.ofMinutes(5))
            .orElseThrow(() -> new IllegalStateException(library + " failed"));
    System.out.printf("%n## %s, %,d objects%n%n", library, objects);
    output.stream().filter(line -> !HISTOGRAM.matcher(line).matches()).forEach(System.out::println);
    printHistogram(output, objects);
    printRecording(recording);
  }

  private static void printHistogram(List<String> output, int objects) {
    System.out.printf("%n   bytes and instances per object, of the heap after the sync%n");
    output.stream()
        .filter(line -> HISTOGRAM.matcher(line).matches())
        .limit(TOP)
        .map(line -> line.trim().split("\\s+"))
        .forEach(
            cell ->
                System.out.printf(
                    "%8.1f %8.2f  %s%n",
                    Double.parseDouble(cell[2]) / objects,
                    Double.parseDouble(cell[1]) / objects,
                    cell[3]));
  }

  private static void printRecording(Path file) throws IOException {
    Map<String, Long> compilations = new HashMap<>();
    Map<String, Long> hot = new HashMap<>();
    Map<String, Long> hotOfOurs = new HashMap<>();
    Map<String, Long> allocations = new HashMap<>();
    Map<String, Long> allocators = new HashMap<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.Compilation")) {
          RecordedMethod compiled = event.getValue("method");
          compilations.merge(method(compiled), event.getDuration().toNanos(), Long::sum);
        }
        RecordedStackTrace stack = event.getStackTrace();
        if (stack == null || stack.getFrames().isEmpty()) {
          continue;
        }
        switch (event.getEventType().getName()) {
          case "jdk.ExecutionSample" -> {
            hot.merge(method(stack.getFrames().get(0)), 1L, Long::sum);
            hotOfOurs.merge(caller(stack), 1L, Long::sum);
          }
          case "jdk.ObjectAllocationSample" -> {
            long weight = event.getLong("weight");
            String name = event.getClass("objectClass").getName();
            allocations.merge(name, weight, Long::sum);
            allocators.merge(name + " by " + caller(stack), weight, Long::sum);
          }
          default -> {}
        }
      }
    }
    print("ns of compiling, by method", compilations);
    print("samples of the processor, by method", hot);
    print("samples of the processor, by the nearest method outside of JDK and JSON", hotOfOurs);
    print("bytes allocated, by class", allocations);
    print("bytes allocated, by class and nearest method outside of JDK and JSON", allocators);
  }

  private static void print(String title, Map<String, Long> counts) {
    long sum = counts.values().stream().mapToLong(Long::longValue).sum();
    System.out.printf("%n%,12d %s%n", sum, title);
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(TOP)
        .forEach(
            entry ->
                System.out.printf("%11.1f%% %s%n", 100.0 * entry.getValue() / sum, entry.getKey()));
  }

  private static String caller(RecordedStackTrace stack) {
    return stack.getFrames().stream()
        .filter(frame -> !frame.getMethod().getType().getName().matches("(jdk|java|sun|com)\\..*"))
        .findFirst()
        .map(InformerProfile::method)
        .orElse("(none)");
  }

  private static String method(RecordedFrame frame) {
    return method(frame.getMethod());
  }

  private static String method(RecordedMethod method) {
    return method.getType().getName() + "." + method.getName();
  }
}
