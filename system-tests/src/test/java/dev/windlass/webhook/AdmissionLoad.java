// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Clients that create objects, each of which the API server asks a webhook about. */
final class AdmissionLoad implements AutoCloseable {

  static final String LABEL = "asks-webhooks";

  private static final int THREADS_PER_CLIENT = 8;

  private final List<KubernetesClient> connections = new ArrayList<>();
  private final AtomicLong requests = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Duration pause;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  private AdmissionLoad(Duration pause) {
    this.pause = pause;
  }

  /**
   * Starts the clients.
   *
   * @param config how to reach the API server
   * @param clients how many requests are under way at a time, at most
   * @param pause how long each client waits between two requests
   */
  static AdmissionLoad start(Config config, int clients, Duration pause) {
    AdmissionLoad load = new AdmissionLoad(pause);
    for (int i = 0; i < clients; i++) {
      if (i % THREADS_PER_CLIENT == 0) {
        load.connections.add(client(config));
      }
      KubernetesClient kubectl = load.connections.get(i / THREADS_PER_CLIENT);
      load.threads.add(new Thread(() -> load.run(kubectl), "load-" + i));
    }
    load.threads.forEach(Thread::start);
    return load;
  }

  /** A client that does not repeat what fails, so that each failure counts. */
  static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build())
        .build();
  }

  /** Matches only the objects of these clients. */
  private static LabelSelector selector() {
    return new LabelSelectorBuilder().addToMatchLabels(LABEL, "yes").build();
  }

  /** A rule for the creation of these objects only. */
  static AdmissionRule<ConfigMap> rule() {
    return AdmissionRule.of(ConfigMap.class).on(Operation.CREATE).objectsWith(selector());
  }

  static ConfigMap object() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withGenerateName("load-")
        .withNamespace("default")
        .addToLabels(LABEL, "yes")
        .endMetadata()
        .build();
  }

  private void run(KubernetesClient kubectl) {
    while (!over) {
      try {
        kubectl.resource(object()).dryRun().create();
      } catch (KubernetesClientException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
      requests.incrementAndGet();
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  long requests() {
    return requests.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Returns the failures, and counts anew. */
  List<String> takeFailures() {
    List<String> taken = failures();
    failures.removeAll(taken);
    return taken;
  }

  @Override
  public void close() {
    over = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    connections.forEach(KubernetesClient::close);
  }
}
