// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The objects that are measured: custom resources of about 1.3 KB as the server sends them, a
 * quarter of that managedFields. Their texts are random letters, which compress badly, as real
 * texts do less.
 */
final class BenchObjects {

  private static final int PAYLOAD = 600;
  private static final int NAMESPACES = 20;
  private static final int CONCURRENT_CREATES = 32;

  private BenchObjects() {}

  /** The key of the object with this number. */
  static ObjectKey key(int number) {
    return ObjectKey.of("bench-" + number % NAMESPACES, "resource-%06d".formatted(number));
  }

  private static BenchResource resource(int number) {
    BenchResource resource = new BenchResource();
    resource.getMetadata().setNamespace(key(number).namespace());
    resource.getMetadata().setName(key(number).name());
    resource
        .getMetadata()
        .setLabels(
            Map.of(
                "app.kubernetes.io/name",
                "bench",
                "app.kubernetes.io/part-of",
                "windlass",
                "tier",
                number % 2 == 0 ? "front" : "back"));
    BenchResource.Spec spec = new BenchResource.Spec();
    spec.setPayload(payload(number));
    resource.setSpec(spec);
    return resource;
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
   * The JSON of an object as a server would send it, to the byte; for measurements without one.
   *
   * @param version the resourceVersion
   */
  static String json(int number, long version) {
    ObjectKey key = key(number);
    String tier = number % 2 == 0 ? "front" : "back";
    return """
        {"apiVersion":"bench.windlass.dev/v1","kind":"BenchResource","metadata":{\
        "creationTimestamp":"2026-11-21T10:00:00Z","generation":1,"labels":{\
        "app.kubernetes.io/name":"bench","app.kubernetes.io/part-of":"windlass","tier":"%s"},\
        "managedFields":[{"apiVersion":"bench.windlass.dev/v1","fieldsType":"FieldsV1",\
        "fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{},\
        "f:app.kubernetes.io/part-of":{},"f:tier":{}}},"f:spec":{".":{},"f:payload":{}}},\
        "manager":"fabric8-kubernetes-client","operation":"Update",\
        "time":"2026-11-21T10:00:00Z"}],"name":"%s","namespace":"%s",\
        "resourceVersion":"%d","uid":"00000000-0000-4000-8000-%012d"},\
        "spec":{"payload":"%s"}}"""
        .formatted(tier, key.name(), key.namespace(), version, number, payload(number));
  }

  /** Makes the type and so many objects on a server; returns when all are there. */
  static void load(KubernetesClient client, int objects)
      throws InterruptedException, ExecutionException {
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
    ExecutorService executor = Executors.newFixedThreadPool(CONCURRENT_CREATES);
    try {
      List<Future<?>> creates = new ArrayList<>();
      for (int i = 0; i < objects; i++) {
        int number = i;
        creates.add(executor.submit(() -> client.resource(resource(number)).create()));
      }
      for (Future<?> create : creates) {
        create.get();
      }
    } finally {
      executor.shutdownNow();
    }
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
