// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Patches {@code spec.sentAt} of random objects at a constant rate, in a separate JVM. The value is
 * the time at which the patch was due, even if the writer or the server was late.
 */
final class LatencyWriter {

  private static final long SEED = 42;

  /** The maximum number of patches whose responses the writer waits for at the same time. */
  private static final int WRITERS = 32;

  private LatencyWriter() {}

  /**
   * Starts the writer. It runs until its process is destroyed, or until this process ends.
   *
   * @param perSecond the number of changes per second
   */
  static Process start(Path kubeconfig, int objects, int perSecond) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LatencyWriter.class.getName(),
                kubeconfig.toString(),
                Integer.toString(objects),
                Integer.toString(perSecond)));
    return builder
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Throws an exception if a writer has ended early. */
  static void requireAlive(Process writer) throws IOException {
    if (!writer.isAlive()) {
      throw new IOException("the writer has ended early");
    }
  }

  /**
   * Runs the writer.
   *
   * @param args the path of a kubeconfig, the number of objects, and the changes per second
   */
  public static void main(String[] args) {
    endWithTheDriver();
    int objects = Integer.parseInt(args[1]);
    int perSecond = Integer.parseInt(args[2]);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(Path.of(args[0]).toFile()))
            .withHttpClientFactory(new SocketTransport())
            .build();
    AtomicLong next = new AtomicLong();
    long start = System.nanoTime();
    Runnable writing =
        () -> {
          while (true) {
            long number = next.getAndIncrement();
            long after = number * TimeUnit.SECONDS.toNanos(1) / perSecond;
            long due = start + after;
            awaitUntil(due);
            int object = new SplittableRandom(SEED + number).nextInt(objects);
            // The wall clock can be adjusted during the run, so its start would be of no use here.
            long late = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due);
            patch(client, object, micros() - late).join();
          }
        };
    for (int i = 0; i < WRITERS; i++) {
      new Thread(writing, "writer-" + i).start();
    }
  }

  private static void awaitUntil(long due) {
    while (System.nanoTime() - due < 0) {
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /**
   * Ends this process when the driver, which started it, ends. Until then, the driver keeps the
   * standard input of this process open.
   */
  private static void endWithTheDriver() {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // The driver writes nothing.
                }
              } catch (IOException e) {
                // The driver has ended.
              }
              Runtime.getRuntime().halt(0);
            },
            "driver-watch");
    reader.setDaemon(true);
    reader.start();
  }

  /** Writes the current time to an object. Prints a failure, and then completes normally. */
  static CompletableFuture<?> patch(KubernetesClient client, int number) {
    return patch(client, number, micros());
  }

  private static CompletableFuture<?> patch(KubernetesClient client, int number, long sentAt) {
    HttpClient http = client.getHttpClient();
    return http.sendAsync(
            http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + BenchServer.path(number))
                .method(
                    "PATCH",
                    "application/merge-patch+json",
                    "{\"spec\":{\"sentAt\":" + sentAt + "}}")
                .build(),
            byte[].class)
        .handle(
            (response, error) -> {
              if (error != null || !response.isSuccessful()) {
                System.err.println("patch failed: " + (error != null ? error : response.code()));
              }
              return response;
            });
  }
}
