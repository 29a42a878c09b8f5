// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.lowlevel;

import dev.windlass.events.EventRecorder;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.examples.foo.Foo;
import dev.windlass.examples.foo.FooDeployment;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains a Deployment for each Foo. The README of this example explains each step. */
final class LowLevelController implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LowLevelController.class);
  private static final Duration RESYNC = Duration.ofSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final KubernetesClient client;
  private final SharedInformerFactory informers;
  private final SharedIndexInformer<Foo> foos;
  private final SharedIndexInformer<Deployment> deployments;
  private final List<HandlerRegistration> handlers;
  private final EventBroadcaster broadcaster;
  private final EventRecorder recorder;
  private final WorkQueue<ObjectKey> queue = WorkQueue.create(WorkQueueOptions.named("Foos"));
  private final List<Thread> workers =
      List.of(new Thread(this::work, "foo-worker-1"), new Thread(this::work, "foo-worker-2"));

  /**
   * Step 1: creates the informers, and registers event handlers that add keys to the queue. This
   * constructor does not start any threads.
   */
  LowLevelController(KubernetesClient client) {
    this.client = client;
    informers =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(client, type, scope),
            WatchScope.ALL,
            InformerOptions.defaults());
    foos = informers.informer(Foo.class);
    deployments = informers.informer(Deployment.class);
    broadcaster =
        new EventBroadcaster(
            client,
            Scheduler.system(),
            Clock.systemUTC(),
            InformerOptions.defaults().threads(),
            EventBroadcaster.PER_SECOND);
    recorder = broadcaster.recorder("sample-controller");
    log.info("Setting up event handlers");
    handlers =
        List.of(
            foos.addEventHandler(this::fooHappened, RESYNC),
            deployments.addEventHandler(this::deploymentHappened, RESYNC));
  }

  private void fooHappened(ResourceEvent<Foo> event) {
    if (event.type() != ResourceEvent.Type.DELETED) { // the garbage collector cleans up
      queue.add(event.key());
    }
  }

  private void deploymentHappened(ResourceEvent<Deployment> event) {
    if (event instanceof ResourceEvent.Updated<Deployment> updated && updated.isResync()) {
      return; // nothing has changed, and the informer of Foos has a resync of its own
    }
    CachedObject<Deployment> deployment = event.object(); // reads metadata, decodes nothing
    deployment
        .controllerOwner()
        .filter(owner -> owner.kind().equals("Foo"))
        .flatMap(
            owner ->
                foos.indexer()
                    .get(ObjectKey.of(deployment.key().namespace(), owner.name()))
                    .filter(foo -> foo.uid().equals(owner.uid())))
        .ifPresent(foo -> queue.add(foo.key()));
  }

  /**
   * Step 2: starts the informers, waits until the handlers have processed all existing objects, and
   * starts the workers.
   */
  void start() throws InterruptedException {
    log.info("Starting Foo controller");
    informers.start();
    log.info("Waiting for informer caches to sync");
    while (!handlers.stream().allMatch(HandlerRegistration::hasSynced)) {
      if (queue.isShutDown()) {
        throw new IllegalStateException("failed to wait for caches to sync");
      }
      Thread.sleep(20);
    }
    log.info("Starting workers");
    workers.forEach(Thread::start);
    log.info("Started workers");
  }

  /**
   * Step 3: processes keys one after another until the queue is shut down. Each worker thread runs
   * this method.
   */
  private void work() {
    try {
      Optional<WorkItem<ObjectKey>> next = queue.take();
      while (next.isPresent()) {
        try (WorkItem<ObjectKey> item = next.get()) { // closing it marks the key as done
          process(item.key());
        }
        next = queue.take();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // close() interrupts after its time limit
    }
  }

  private void process(ObjectKey key) {
    try {
      sync(key);
      queue.forget(key);
      log.info("Successfully synced '{}'", key);
    } catch (RuntimeException e) {
      queue.addRateLimited(key);
      log.error("error syncing '{}': {}, requeuing", key, e.getMessage());
    }
  }

  /**
   * Returns the number of consecutive failed attempts to process a key. This number determines the
   * delay before the next attempt.
   */
  int failures(ObjectKey key) {
    return queue.retries(key);
  }

  /**
   * Step 4: drives the cluster towards the desired state of one Foo. This method reads from caches
   * and writes to the API server.
   */
  private void sync(ObjectKey key) {
    Optional<Foo> found = foos.lister().get(key);
    if (found.isEmpty()) {
      log.info("foo '{}' in work queue no longer exists", key);
      return;
    }
    Foo foo = found.get();
    String name = foo.getSpec().getDeploymentName();
    if (name == null || name.isEmpty()) {
      log.error("{}: deployment name must be specified", key);
      return;
    }
    Optional<Deployment> existing = deployments.lister().get(ObjectKey.of(key.namespace(), name));
    if (existing.isEmpty()) {
      client.resource(FooDeployment.of(foo, name)).create();
      recorder.normal(foo, "Synced", "Foo synced successfully");
      return;
    }
    Deployment deployment = existing.get(); // a copy, which can be modified
    if (!FooDeployment.isControlledBy(deployment, foo)) {
      String message = "Resource \"%s\" already exists and is not managed by Foo".formatted(name);
      recorder.warning(foo, "ErrResourceExists", message);
      throw new IllegalStateException(message);
    }
    Integer replicas = foo.getSpec().getReplicas();
    if (replicas != null && !replicas.equals(deployment.getSpec().getReplicas())) {
      deployment.getSpec().setReplicas(replicas);
      client.resource(deployment).update(); // the server rejects a stale copy
    }
    recorder.normal(foo, "Synced", "Foo synced successfully");
  }

  /**
   * Step 5: stops the queue, the workers, the Event broadcaster and the informers, in this order.
   * Calling this method again has no effect.
   */
  @Override
  public void close() {
    if (!queue.isShutDown()) {
      log.info("Shutting down workers");
    }
    queue.shutDown();
    try {
      for (Thread worker : workers) {
        worker.join(STOP_LIMIT.toMillis()); // the worker finishes the keys that are ready
        worker.interrupt();
      }
      if (!broadcaster.stop(STOP_LIMIT)) {
        log.warn("Some Events were not sent within {} s", STOP_LIMIT.toSeconds());
      }
      if (!informers.shutDown(STOP_LIMIT)) {
        log.warn("A handler is still running after {} s", STOP_LIMIT.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Disables the client's retries and HTTP/2. Retries in the client would hide failures. With
   * HTTP/2, all requests would share one connection.
   */
  static Config tuned(Config config) {
    config.setRequestRetryBackoffLimit(0);
    config.setHttp2Disable(true);
    return config;
  }

  /**
   * Runs the program with the given {@code --kubeconfig FILE}, or with the configuration that
   * kubectl would use.
   */
  public static void main(String[] args) throws InterruptedException {
    boolean named = args.length == 2 && args[0].equals("--kubeconfig");
    if (!named && args.length > 0) {
      throw new IllegalArgumentException("the only option is --kubeconfig FILE");
    }
    Config config = named ? Config.fromKubeconfig(new File(args[1])) : Config.autoConfigure(null);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(tuned(config)).build();
        LowLevelController controller = new LowLevelController(client)) {
      Runtime.getRuntime().addShutdownHook(new Thread(controller::close, "stop"));
      controller.start();
      for (Thread worker : controller.workers) {
        worker.join();
      }
    }
  }
}
