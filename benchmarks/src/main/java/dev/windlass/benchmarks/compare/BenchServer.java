// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import dev.windlass.testing.apiserver.BulkLoader;
import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A real API server with the CRD of the comparison and its 20 namespaces. Each object has a size of
 * 1.3 KB as the server sends it. This class is not thread-safe.
 */
final class BenchServer implements AutoCloseable {

  /** The API group of the custom resource. */
  static final String GROUP = "compare.windlass.dev";

  private static final int NAMESPACES = 20;
  private static final int TEXT = 600;
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: benches.compare.windlass.dev
      spec:
        group: compare.windlass.dev
        scope: Namespaced
        names: {kind: Bench, listKind: BenchList, plural: benches, singular: bench}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    text: {type: string}
                    sentAt: {type: integer, format: int64}
                status:
                  type: object
                  properties:
                    observedGeneration: {type: integer, format: int64}
                    ready: {type: boolean}
      """;

  private final RealApiServer server;
  private final KubernetesClient client;
  private final Path kubeconfig;
  private final List<Path> kubeconfigs = new ArrayList<>();

  private BenchServer(RealApiServer server, KubernetesClient client) throws IOException {
    this.server = server;
    this.client = client;
    this.kubeconfig = kubeconfig("peer");
  }

  /**
   * Starts a server without objects.
   *
   * @param audit whether the server records who sends which request, for {@link #requestsByUser}
   */
  static BenchServer start(boolean audit) throws IOException {
    RealApiServer server = RealApiServer.builder().audit(audit).start();
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(server.clientConfig())
            .withHttpClientFactory(new VertxHttpClientFactory())
            .build();
    BenchServer bench = new BenchServer(server, client);
    bench.prepare();
    return bench;
  }

  private void prepare() {
    CustomResourceDefinition definition =
        client.getKubernetesSerialization().unmarshal(DEFINITION, CustomResourceDefinition.class);
    create(definition);
    for (int i = 0; i < NAMESPACES; i++) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName("bench-" + i).endMetadata().build())
          .create();
    }
  }

  private void create(CustomResourceDefinition definition) {
    client.resource(definition).create();
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(definition.getMetadata().getName())
        .waitUntilCondition(
            crd ->
                crd != null
                    && crd.getStatus() != null
                    && crd.getStatus().getConditions() != null
                    && crd.getStatus().getConditions().stream()
                        .anyMatch(
                            c -> c.getType().equals("Established") && c.getStatus().equals("True")),
            30,
            TimeUnit.SECONDS);
  }

  /** Returns the path of the kubeconfig that the peers share. */
  Path kubeconfig() {
    return kubeconfig;
  }

  /** Creates a service account of this name, and returns the path of its kubeconfig. */
  Path kubeconfig(String name) throws IOException {
    Path file = Files.createTempFile("windlass-compare", ".kubeconfig");
    kubeconfigs.add(file);
    Files.writeString(file, PeerAccess.create(client, name));
    return file;
  }

  /** Returns the path of an object below the server's address. */
  static String path(int number) {
    return collection(number % NAMESPACES) + "/bench-%06d".formatted(number);
  }

  private static String collection(int namespace) {
    return "apis/" + GROUP + "/v1/namespaces/bench-" + namespace + "/benches";
  }

  /**
   * Deletes all Bench objects and ConfigMaps and the Leases of the programs, creates the given
   * number of objects, and returns when all of them exist.
   */
  void seed(int objects) throws InterruptedException, IOException {
    deleteAll("apis/coordination.k8s.io/v1/namespaces/default/leases");
    for (int i = 0; i < NAMESPACES; i++) {
      deleteAll(collection(i));
      deleteAll("api/v1/namespaces/bench-" + i + "/configmaps");
    }
    for (int i = 0; i < NAMESPACES; i++) {
      int namespace = i;
      BulkLoader.with(client)
          .create(
              collection(namespace),
              (objects - namespace + NAMESPACES - 1) / NAMESPACES,
              index -> json(namespace + index * NAMESPACES));
    }
  }

  /** Creates a number of custom types, with one object of each. */
  void createTypes(int types) throws InterruptedException, IOException {
    for (int i = 0; i < types; i++) {
      String definition =
          DEFINITION
              .replace("benches", "idle%03ds".formatted(i))
              .replace("Bench", "Idle%03d".formatted(i))
              .replace("bench", "idle%03d".formatted(i));
      create(
          client
              .getKubernetesSerialization()
              .unmarshal(definition, CustomResourceDefinition.class));
    }
    for (int i = 0; i < types; i++) {
      String kind = "Idle%03d".formatted(i);
      BulkLoader.with(client)
          .create(
              "apis/" + GROUP + "/v1/namespaces/bench-0/" + kind.toLowerCase(Locale.ROOT) + "s",
              1,
              index ->
                  "{\"apiVersion\":\"%s/v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"}}"
                      .formatted(GROUP, kind, kind.toLowerCase(Locale.ROOT)));
    }
  }

  /** Kills the API server and starts it again. Returns when it is ready. */
  void restart() {
    server.killApiServer();
    server.startApiServer();
  }

  /** Writes the current time to an object, as {@link LatencyWriter} does. */
  void touch(int number) {
    LatencyWriter.patch(client, number).join();
  }

  /** Returns for each replica how many shards it owns. */
  List<Long> shares() {
    return List.copyOf(
        client.leases().inNamespace("default").list().getItems().stream()
            .filter(lease -> lease.getMetadata().getName().matches("bench-\\d+-of-\\d+"))
            .map(lease -> Objects.toString(lease.getSpec().getHolderIdentity(), ""))
            .map(holder -> holder.replaceFirst("_[^_]*$", "")) // the suffix of the Lease's elector
            .collect(Collectors.groupingBy(owner -> owner, Collectors.counting()))
            .values());
  }

  private void deleteAll(String path) throws InterruptedException, IOException {
    HttpClient http = client.getHttpClient();
    try {
      HttpResponse<byte[]> response =
          http.sendAsync(
                  http.newHttpRequestBuilder()
                      .uri(client.getMasterUrl() + path)
                      .delete(
                          "application/json", "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}")
                      .build(),
                  byte[].class)
              .get();
      if (!response.isSuccessful()) {
        throw new IOException("failed to delete " + path + ": " + response.code());
      }
    } catch (ExecutionException e) {
      throw new IOException("failed to delete " + path, e);
    }
  }

  private static String json(int number) {
    Random random = new Random(number);
    StringBuilder text = new StringBuilder(TEXT);
    while (text.length() < TEXT) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return """
        {"apiVersion":"compare.windlass.dev/v1","kind":"Bench","metadata":{"name":"bench-%06d",\
        "labels":{"app.kubernetes.io/name":"bench","app.kubernetes.io/part-of":"windlass",\
        "tier":"%s"}},"spec":{"text":"%s"}}"""
        .formatted(number, number % 2 == 0 ? "front" : "back", text);
  }

  /** Returns the requests that the server has counted so far. */
  ServerRequests requests() {
    String metrics = client.raw("/metrics");
    if (metrics == null) {
      throw new IllegalStateException("the API server has no /metrics");
    }
    return ServerRequests.parse(metrics);
  }

  /** Returns the number of requests for objects so far, including watches, by user. */
  Map<String, Long> requestsByUser() {
    return server.auditEvents().stream()
        .collect(Collectors.groupingBy(AuditEvent::user, Collectors.counting()));
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
    for (Path file : kubeconfigs) {
      Files.deleteIfExists(file);
    }
  }
}
