// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Compares HTTP transports: Windlass's own and those of fabric8. The same informer syncs the same
 * objects of one real API server over each transport. Each transport runs in its own JVM, in
 * alternating rounds.
 *
 * <p>Arguments, with their defaults: the number of objects (20,000) and the number of rounds (3).
 * The benchmark needs {@code KUBEBUILDER_ASSETS}.
 */
public final class TransportComparison {

  private TransportComparison() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int objects = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    try (RealApiServer server = RealApiServer.builder().start()) {
      fill(server, objects);
      Path kubeconfig = Files.createTempFile("windlass-benchmark", ".kubeconfig");
      Files.writeString(kubeconfig, server.kubeconfig());
      System.out.printf("%d ConfigMaps of about 1.3 KB%n", objects);
      System.out.println(TransportRun.HEADER);
      for (int round = 0; round < rounds; round++) {
        for (TransportRun.Transport transport : TransportRun.Transport.values()) {
          run(transport, kubeconfig, objects);
        }
      }
      Files.delete(kubeconfig);
    }
  }

  private static void fill(RealApiServer server, int objects) {
    try (KubernetesClient client = server.newClient()) {
      IntStream.range(0, objects)
          .parallel()
          .forEach(
              i ->
                  client
                      .resource(
                          new ConfigMapBuilder()
                              .withNewMetadata()
                              .withName("object-" + i)
                              .withNamespace("default")
                              .addToLabels("app", "benchmark")
                              .endMetadata()
                              .addToData("key", "x".repeat(1000))
                              .build())
                      .create());
    }
  }

  private static void run(TransportRun.Transport transport, Path kubeconfig, int objects)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.add(TransportRun.class.getName());
    command.addAll(List.of(transport.name(), kubeconfig.toString(), Integer.toString(objects)));
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException(transport + " failed with exit code " + exit);
    }
  }
}
