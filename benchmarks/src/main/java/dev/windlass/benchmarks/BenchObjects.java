// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.BulkLoader;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The objects of the benchmarks: custom resources of about 1.3 KB as the server sends them. A
 * quarter of these bytes are managedFields. The texts in the objects are random letters, which
 * compress less well than natural text.
 */
final class BenchObjects {

  private static final int PAYLOAD = 600;
  private static final int NAMESPACES = 20;

  private BenchObjects() {}

  /** Returns the key of the object with this number. */
  static ObjectKey key(int number) {
    return ObjectKey.of("bench-" + number % NAMESPACES, "resource-%06d".formatted(number));
  }

  private static String payload(int number) {
    Random random = new Random(number);
    StringBuilder text = new StringBuilder(PAYLOAD);
    while (text.length() < PAYLOAD) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /**
   * Returns the JSON of an object, byte for byte as a server would send it. Benchmarks that run
   * without a server use this method.
   *
   * @param version the resourceVersion
   */
  static String json(int number, long version) {
    ObjectKey key = key(number);
    return """
        {"apiVersion":"bench.windlass.dev/v1","kind":"BenchResource","metadata":{\
        "creationTimestamp":"2026-11-21T10:00:00Z","generation":1,%s,"managedFields":[{"apiVersion":"bench.windlass.dev/v1","fieldsType":"FieldsV1",\
        "fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{},\
        "f:app.kubernetes.io/part-of":{},"f:tier":{}}},"f:spec":{".":{},"f:payload":{}}},\
        "manager":"fabric8-kubernetes-client","operation":"Update",\
        "time":"2026-11-21T10:00:00Z"}],"name":"%s","namespace":"%s",\
        "resourceVersion":"%d","uid":"00000000-0000-4000-8000-%012d"},\
        "spec":{"payload":"%s"}}"""
        .formatted(labels(number), key.name(), key.namespace(), version, number, payload(number));
  }

  /**
   * Creates a client with a fixed transport. Otherwise, fabric8 would choose one of the available
   * transports at random and log a warning.
   */
  static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new VertxHttpClientFactory())
        .build();
  }

  /**
   * Creates the CRD and the given number of objects on a server, and returns when all of them
   * exist.
   */
  static void load(KubernetesClient client, int objects) throws InterruptedException {
    client.resource(definition()).create();
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(definition().getMetadata().getName())
        .waitUntilCondition(
            crd ->
                crd != null
                    && crd.getStatus() != null
                    && crd.getStatus().getConditions().stream()
                        .anyMatch(
                            c -> c.getType().equals("Established") && c.getStatus().equals("True")),
            30,
            TimeUnit.SECONDS);
    for (int i = 0; i < NAMESPACES; i++) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName("bench-" + i).endMetadata().build())
          .create();
    }
    for (int i = 0; i < NAMESPACES; i++) {
      int namespace = i;
      int count = (objects - namespace + NAMESPACES - 1) / NAMESPACES;
      BulkLoader.with(client)
          .create(
              ResourceType.of(BenchResource.class).path("bench-" + namespace),
              count,
              index -> newJson(namespace + index * NAMESPACES));
    }
  }

  private static String newJson(int number) {
    return """
        {"apiVersion":"bench.windlass.dev/v1","kind":"BenchResource","metadata":{%s,\
        "name":"%s"},"spec":{"payload":"%s"}}"""
        .formatted(labels(number), key(number).name(), payload(number));
  }

  private static String labels(int number) {
    return """
        "labels":{"app.kubernetes.io/name":"bench","app.kubernetes.io/part-of":"windlass",\
        "tier":"%s"}"""
        .formatted(number % 2 == 0 ? "front" : "back");
  }

  private static CustomResourceDefinition definition() {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName("benchresources.bench.windlass.dev")
        .endMetadata()
        .withNewSpec()
        .withGroup("bench.windlass.dev")
        .withScope("Namespaced")
        .withNewNames()
        .withKind("BenchResource")
        .withPlural("benchresources")
        .withSingular("benchresource")
        .endNames()
        .addNewVersion()
        .withName("v1")
        .withServed(true)
        .withStorage(true)
        .withNewSchema()
        .withOpenAPIV3Schema(
            new JSONSchemaPropsBuilder()
                .withType("object")
                .addToProperties(
                    "spec",
                    new JSONSchemaPropsBuilder()
                        .withType("object")
                        .addToProperties(
                            "payload", new JSONSchemaPropsBuilder().withType("string").build())
                        .build())
                .build())
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }
}
