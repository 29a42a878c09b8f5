// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.manager.Manager;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The code of {@code docs/coming-over/fabric8-informers.md}. */
@Timeout(60)
final class FromFabric8InformersTest {

  private static final Logger log = LoggerFactory.getLogger(FromFabric8InformersTest.class);

  private static ConfigMap source(String name, String colour) {
    return new ConfigMapBuilder(Samples.map("default", name))
        .editMetadata()
        .addToLabels("mirror", "true")
        .endMetadata()
        .withData(Map.of("colour", colour))
        .build();
  }

  private static void inform(KubernetesClient client, Queue<ObjectKey> keys)
      throws InterruptedException {
    // sample: informer
    SharedInformerFactory informers =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(client, type, scope),
            WatchScope.ALL,
            InformerOptions.defaults());
    SharedIndexInformer<ConfigMap> maps =
        informers.informer(
            InformerSpec.of(ConfigMap.class).in(WatchScope.ALL.withLabels("mirror=true")));
    maps.addEventHandler(
        event -> {
          CachedObject<ConfigMap> map = event.object();
          if (event.type() == ResourceEvent.Type.DELETED) {
            keys.remove(map.key());
          } else {
            keys.add(map.key()); // reads metadata; map.decode() returns the ConfigMap
          }
        });
    informers.start(); // does not block
    // end
    await().until(() -> keys.contains(ObjectKey.of("default", "first")));
    assertThat(informers.shutDown(Duration.ofSeconds(10))).isTrue();
  }

  private static LeaderElector elect(KubernetesClient client, Thread worker, Runnable end) {
    // sample: elect
    InformerOptions defaults = InformerOptions.defaults();
    LeaderElector elector =
        LeaderElector.create(
            client, // not the client that the elector's fence guards
            LeaderElectionOptions.of("mirror").withNamespace("default"), // the name of the Lease
            new LeaderElector.Environment(
                defaults.scheduler(), Clock.systemUTC(), defaults.threads(), defaults.random()),
            new LeaderListener() {
              @Override
              public void startedLeading() {
                worker.start(); // these methods must not block
              }

              @Override
              public void stoppedLeading(LeadershipLostException why) {
                log.error("Stopping, because {}", why.getMessage());
                end.run(); // such as a thread that calls System.exit(1)
              }
            });
    elector.start(); // does not block
    // end
    return elector;
  }

  @Test
  void electsALeaderWithoutAManager() throws InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      CountDownLatch worked = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      LeaderElector elector = elect(client, new Thread(worked::countDown), ended::countDown);
      assertThat(worked.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(elector.fence().holds()).isTrue();
      assertThat(elector.stop(Duration.ofSeconds(10), true)).isTrue();
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(elector.fence().holds()).isFalse();
    }
  }

  @Test
  void replacesTheInformerAlone() throws InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      client.resource(source("first", "blue")).create();
      client.resource(Samples.map("default", "other")).create();
      Queue<ObjectKey> keys = new ConcurrentLinkedQueue<>();
      inform(client, keys);
      assertThat(keys).containsExactly(ObjectKey.of("default", "first"));
    }
  }

  // sample: controller
  private static void register(Manager manager) {
    ControllerBuilder.forType(
            InformerSpec.of(ConfigMap.class).in(WatchScope.ALL.withLabels("mirror=true")))
        .named("mirror") // also the field owner
        .watches( // repairs the copies, and caches them, so that no apply is sent in vain
            InformerSpec.of(ConfigMap.class)
                .in(WatchScope.namespace("mirror").withLabels("mirror-of")),
            EventHandler.mappingMetadata(
                copy -> List.of(Request.of(copy.labels().get("mirror-of"), copy.key().name()))))
        .reconciler(FromFabric8InformersTest::mirror)
        .register(manager);
  }

  private static Result mirror(Request request, ReconcileContext context) {
    Client client = context.client();
    Optional<ConfigMap> source =
        client
            .get(ConfigMap.class, request.key())
            .filter(map -> "true".equals(map.getMetadata().getLabels().get("mirror")));
    if (source.isEmpty()) { // deleted, or without the label
      client.delete(ConfigMap.class, ObjectKey.of("mirror", request.name()));
      return Result.done();
    }
    client.apply(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("mirror")
            .withName(request.name())
            .addToLabels("mirror-of", request.namespace())
            .endMetadata()
            .withData(source.get().getData())
            .build());
    return Result.done();
  }

  // end

  @Test
  void mirrors() {
    try (ReconcilerTest test = ReconcilerTest.of(FromFabric8InformersTest::register)) {
      test.create(Samples.namespace("mirror"));
      test.create(source("first", "blue"));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "mirror", "first").orElseThrow().getData())
          .containsEntry("colour", "blue");
      test.edit(ConfigMap.class, "default", "first", map -> map.setData(Map.of("colour", "red")));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "mirror", "first").orElseThrow().getData())
          .containsEntry("colour", "red");
      test.edit(ConfigMap.class, "default", "first", map -> map.getMetadata().setLabels(Map.of()));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "mirror", "first")).isEmpty();
    }
  }
}
