// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/coming-over/client-java.md}. */
@Timeout(60)
final class FromClientJavaTest {

  // sample: reconciler
  private static Result reconcile(Request request, ReconcileContext context) {
    Client client = context.client();
    Optional<Widget> found = client.get(Widget.class, request.key());
    if (found.isEmpty()) {
      return Result.done();
    }
    ConfigMap wanted = child(found.get());
    Optional<ConfigMap> existing = client.get(wanted);
    if (existing.isEmpty()) {
      client.create(wanted);
    } else if (!wanted.getData().equals(existing.get().getData())) {
      existing.get().setData(wanted.getData()); // a copy of the cached object
      client.update(existing.get()); // rejected if the cached object is outdated
    }
    return Result.requeueAfter(Duration.ofMinutes(10));
  }

  private static ConfigMap child(Widget widget) {
    ConfigMap child =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withName(widget.getMetadata().getName())
            .endMetadata()
            .withData(Map.of("size", String.valueOf(widget.getSpec().getSize())))
            .build();
    OwnerReferences.setController(child, widget);
    return child;
  }

  // end

  private static void register(Manager manager) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .maxConcurrentReconciles(2)
        .reconciler(FromClientJavaTest::reconcile)
        .register(manager);
  }

  /** A program, which no test starts: it would read the kubeconfig of the machine. */
  static final class Program {
    private Program() {}

    // sample: main
    public static void main(String[] args) {
      try (Manager manager =
          Manager.builder().leaderElection(LeaderElectionOptions.of("widget-operator")).build()) {
        ControllerBuilder.forType(Widget.class)
            .owns(ConfigMap.class)
            .maxConcurrentReconciles(2)
            .reconciler(FromClientJavaTest::reconcile)
            .register(manager);
        System.exit(manager.run() ? 0 : 1);
      }
    }

    // end
  }

  @Test
  void maintainsTheChild() {
    try (ReconcilerTest test =
        ReconcilerTest.of(FromClientJavaTest::register).install(Widget.class)) {
      test.create(Widget.of("default", "first"));
      test.reconcile().assertWrites("create configmaps default/first");
      test.edit(Widget.class, "default", "first", widget -> widget.getSpec().setSize(2));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("size", "2");
    }
  }

  @Test
  void usesTheInformerAlone() throws InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      List<String> seen = new ArrayList<>();
      // sample: informer
      SharedInformerFactory informers =
          new SharedInformerFactory(
              (type, scope) -> new HttpListerWatcher(client, type, scope),
              WatchScope.namespace("default"),
              InformerOptions.defaults());
      SharedIndexInformer<ConfigMap> maps = informers.informer(ConfigMap.class);
      maps.indexer().addIndex("app", map -> List.of(map.labels().getOrDefault("app", "")));
      HandlerRegistration handler =
          maps.addEventHandler(event -> seen.add(event.type() + " " + event.key()));
      informers.start();
      // end
      await().until(handler::hasSynced);
      client
          .resource(
              new ConfigMapBuilder(Samples.map("default", "first"))
                  .editMetadata()
                  .addToLabels("app", "web")
                  .endMetadata()
                  .build())
          .create();
      await().until(() -> maps.lister().get(ObjectKey.of("default", "first")).isPresent());
      // sample: lister
      Optional<ConfigMap> first = maps.lister().get(ObjectKey.of("default", "first"));
      List<ConfigMap> all = maps.lister().inNamespace("default").list();
      boolean used = !maps.indexer().byIndex("app", "web").isEmpty();
      // end
      assertThat(all).contains(first.orElseThrow());
      assertThat(used).isTrue();
      await().until(() -> seen.contains("ADDED default/first"));
      assertThat(informers.shutDown(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void usesTheQueueAlone() throws InterruptedException {
    List<ObjectKey> done = new ArrayList<>();
    // sample: queue
    WorkQueue<ObjectKey> queue = WorkQueue.create(WorkQueueOptions.named("widgets"));
    queue.add(ObjectKey.of("default", "first"));
    queue.addAfter(ObjectKey.of("default", "second"), Duration.ofMillis(10));
    Optional<WorkItem<ObjectKey>> next = queue.take(); // empty after shutDown()
    while (next.isPresent()) {
      try (WorkItem<ObjectKey> item = next.get()) { // closing it is done(key)
        try {
          process(item.key(), done);
          queue.forget(item.key());
        } catch (RuntimeException e) {
          queue.addRateLimited(item.key());
        }
      }
      if (done.size() == 2) {
        queue.shutDown();
      }
      next = queue.take();
    }
    // end
    assertThat(done)
        .containsExactly(ObjectKey.of("default", "first"), ObjectKey.of("default", "second"));
  }

  private static void process(ObjectKey key, List<ObjectKey> done) {
    done.add(key);
  }
}
