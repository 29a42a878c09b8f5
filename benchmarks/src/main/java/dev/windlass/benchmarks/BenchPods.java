// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.BulkLoader;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Random;

/**
 * Creates the Pods of a simulated large cluster. The Pods are in 20 namespaces and on 100 nodes,
 * and a tenth of them have the operator's label. Each Pod has two containers with an environment,
 * probes and limits.
 */
final class BenchPods {

  static final int NAMESPACES = 20;
  static final int NODES = 100;
  private static final int VARIABLES = 12;

  private BenchPods() {}

  /**
   * Creates the given number of Pods on a server. The number must be a multiple of 2,000, so that
   * all nodes have the same number of Pods.
   */
  static void load(KubernetesClient client, int pods) throws InterruptedException {
    for (int i = 0; i < NAMESPACES; i++) {
      int first = i;
      String namespace = "bench-" + i;
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
      BulkLoader.with(client)
          .create(
              ResourceType.of(Pod.class).path(namespace),
              pods / NAMESPACES,
              index -> json(first + index * NAMESPACES));
    }
  }

  private static String json(int number) {
    Random random = new Random(number);
    String hash = "%08x".formatted(random.nextInt());
    return """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"shop-%06d",\
        "labels":{"app":"shop-%d","pod-template-hash":"%s"%s},\
        "annotations":{"example.com/config-checksum":"%s"},\
        "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"shop-%s",\
        "uid":"00000000-0000-4000-8000-%012d","controller":true,"blockOwnerDeletion":true}]},\
        "spec":{"nodeName":"node-%d","serviceAccountName":"shop","automountServiceAccountToken":false,\
        "containers":[%s,%s],"volumes":[{"name":"config","configMap":{"name":"shop"}}]}}"""
        .formatted(
            number,
            number / 10,
            hash,
            number / NAMESPACES % 10 == 0 ? ",\"app.kubernetes.io/managed-by\":\"bench\"" : "",
            text(random, 64),
            hash,
            number / 10,
            number / NAMESPACES % NODES,
            container("web", random),
            container("proxy", random));
  }

  private static String container(String name, Random random) {
    StringBuilder environment = new StringBuilder();
    for (int i = 0; i < VARIABLES; i++) {
      environment
          .append(i == 0 ? "" : ",")
          .append("{\"name\":\"SETTING_%d\",\"value\":\"%s\"}".formatted(i, text(random, 24)));
    }
    return """
        {"name":"%s","image":"shop/%s:1.%d","env":[%s],\
        "resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}},\
        "readinessProbe":{"httpGet":{"path":"/ready","port":8080}},\
        "livenessProbe":{"httpGet":{"path":"/live","port":8080}},\
        "volumeMounts":[{"name":"config","mountPath":"/etc/shop"}]}"""
        .formatted(name, name, random.nextInt(100), environment);
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }
}
