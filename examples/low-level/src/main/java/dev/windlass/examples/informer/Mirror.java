// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.informer;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies each ConfigMap with the label {@code mirror=true} into another namespace. */
public final class Mirror implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Mirror.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final KubernetesClient client;
  private final String target;
  private final SharedInformerFactory informers;
  private final SharedIndexInformer<ConfigMap> maps;
  private final HandlerRegistration handler;

  // sample: queue
  private final WorkQueue<ObjectKey> queue = WorkQueue.create(WorkQueueOptions.named("mirror"));
  // end

  private final Thread worker = new Thread(this::work, "mirror");

  /**
   * Creates a mirror without starting it; see {@link #start()}.
   *
   * @param client the client to use; the caller must close it after closing the mirror
   * @param target the namespace of the copies
   */
  public Mirror(KubernetesClient client, String target) {
    this.client = client;
    this.target = target;
    // sample: informer
    informers =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(client, type, scope),
            WatchScope.ALL,
            InformerOptions.defaults());
    maps =
        informers.informer(
            InformerSpec.of(ConfigMap.class).in(WatchScope.ALL.withLabels("mirror=true")));
    handler = maps.addEventHandler(event -> queue.add(event.key()));
    // end
  }

  // sample: start
  /** Starts watching, and starts copying as soon as the cache is complete. */
  public void start() throws InterruptedException {
    informers.start(); // does not block
    while (!handler.hasSynced()) { // the handler has received all objects of the first list
      maps.problem().ifPresent(problem -> log.warn("Waiting for ConfigMaps: {}", problem));
      Thread.sleep(100);
    }
    worker.start();
  }

  // end

  // sample: work
  private void work() {
    try {
      Optional<WorkItem<ObjectKey>> next = queue.take();
      while (next.isPresent()) { // empty after shutDown()
        try (WorkItem<ObjectKey> item = next.get()) { // closing it marks the key as done
          copy(item.key());
          queue.forget(item.key()); // the next failure is the first one again
        } catch (RuntimeException e) {
          log.warn("Failed to copy {}: {}", next.get().key(), e.getMessage());
          queue.addRateLimited(next.get().key()); // after 5 ms, 10 ms, 20 ms, ...
        }
        next = queue.take();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // end

  private void copy(ObjectKey key) {
    Optional<ConfigMap> original = maps.lister().get(key); // a copy, which can be modified
    if (original.isEmpty()) {
      client.configMaps().inNamespace(target).withName(key.name()).delete();
      return;
    }
    ConfigMap copy =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(target)
            .withName(key.name())
            .endMetadata()
            .withData(original.get().getData())
            .build();
    client.resource(copy).fieldManager("mirror").forceConflicts().serverSideApply();
  }

  // sample: stop
  /** Stops copying. The copies remain. */
  @Override
  public void close() {
    queue.shutDown(); // the worker still processes the keys that are ready
    try {
      worker.join(STOP_LIMIT.toMillis());
      worker.interrupt();
      if (!informers.shutDown(STOP_LIMIT)) {
        log.warn("A handler is still running after {} s", STOP_LIMIT.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // end

  /** Copies ConfigMaps into the namespace {@code mirror} until the process is stopped. */
  public static void main(String[] args) throws InterruptedException {
    // sample: client
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withRequestRetryBackoffLimit(0) // the queue retries
                    .withHttp2Disable(true) // each watch gets a connection of its own
                    .build())
            .build();
    // end
    Mirror mirror = new Mirror(client, "mirror");
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  mirror.close();
                  client.close();
                  stopped.countDown();
                },
                "stop"));
    mirror.start();
    stopped.await();
  }
}
