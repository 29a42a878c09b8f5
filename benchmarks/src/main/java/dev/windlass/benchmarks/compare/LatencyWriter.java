// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Patches {@code spec.sentAt} of random objects at a constant rate, in a separate JVM. */
final class LatencyWriter {

  private static final long SEED = 42;

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
    Random random = new Random(SEED);
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(Path.of(args[0]).toFile()))
            .withHttpClientFactory(new VertxHttpClientFactory())
            .build()) {
      long start = System.nanoTime();
      for (long i = 0; ; i++) {
        long due = start + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
        while (System.nanoTime() - due < 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        patch(client, random.nextInt(objects));
      }
    }
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

  static CompletableFuture<?> patch(KubernetesClient client, int number) {
    HttpClient http = client.getHttpClient();
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    return http.sendAsync(
            http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + BenchServer.path(number))
                .method(
                    "PATCH", "application/merge-patch+json", "{\"spec\":{\"sentAt\":" + now + "}}")
                .build(),
            byte[].class)
        .whenComplete(
            (response, error) -> {
              if (error != null || !response.isSuccessful()) {
                System.err.println("patch failed: " + (error != null ? error : response.code()));
              }
            });
  }
}
