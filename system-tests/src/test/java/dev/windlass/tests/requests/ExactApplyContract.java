// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.pipeline.OwnWrites;
import dev.windlass.client.pipeline.Pipeline;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.leader.Fence;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An apply is skipped exactly if the server would not create a new version of the object; holds on
 * each server. Runs random sequences of applies and of writes by others. Another client then sends
 * each skipped apply, which must change nothing. The system property {@code applies} sets the
 * number of sequences.
 */
abstract class ExactApplyContract {

  private static final int THREADS = 6;

  /** Another process of the same name adds to an atomic list within a second of our apply. */
  private static final long WITHIN_A_SECOND = 15_815_512_406_279L;

  private final String namespace = "applies-" + UUID.randomUUID().toString().substring(0, 8);

  abstract TestApiServer server();

  abstract int sequences();

  /** What uses the caches of some types. */
  private interface Use {
    void with(KubernetesClient client, SharedInformerFactory informers) throws Exception;
  }

  private void withCaches(Use use) throws Exception {
    server().install(Widget.definition());
    OwnWrites writes = new OwnWrites();
    try (KubernetesClient kubectl = server().newClient();
        KubernetesClient client =
            PipelineClients.open(
                server().clientConfig(),
                null,
                new Pipeline.Hooks(writes, RequestListener.NONE, Thread::new),
                Scheduler.system())) {
      kubectl.resource(Samples.namespace(namespace)).create();
      SharedInformerFactory informers =
          new SharedInformerFactory(
              (type, scope) -> new HttpListerWatcher(client, type, scope),
              WatchScope.ALL,
              InformerOptions.defaults());
      writes.watch(informers);
      List<SharedIndexInformer<?>> caches = new ArrayList<>();
      caches.add(informers.informer(Widget.class));
      for (HasMetadata object : UsualObjects.in(namespace)) {
        caches.add(informers.informer(object.getClass()));
      }
      informers.start();
      eventually().until(() -> caches.stream().allMatch(SharedIndexInformer::hasSynced));
      use.with(client, informers);
      assertThat(informers.shutDown(Duration.ofSeconds(20))).isTrue();
      kubectl.namespaces().withName(namespace).delete();
    }
  }

  @Test
  void leavesOutExactlyWhatWouldChangeNothing() throws Exception {
    withCaches(this::run);
  }

  private Widget widget(boolean status) {
    Widget widget = Widget.of(namespace, "restarted");
    if (status) {
      widget.setSpec(null);
      widget.setStatus(new Widget.Status());
      widget.getStatus().setReady(1);
      widget
          .getStatus()
          .getConditions()
          .add(
              new ConditionBuilder()
                  .withType("Ready")
                  .withStatus("True")
                  .withReason("Done")
                  .withMessage("")
                  .withLastTransitionTime("2026-01-02T03:04:05Z")
                  .withObservedGeneration(7L)
                  .build());
    } else {
      widget.getSpec().setSize(3);
      widget.getSpec().setParts(List.of("x", "y"));
    }
    return widget;
  }

  @Test
  void sendsNothingThatAnEarlierProcessHasApplied() throws Exception {
    withCaches(
        (kubernetes, informers) -> {
          CachedClient first = newClient(kubernetes, informers, "restarted");
          UsualObjects.in(namespace).forEach(first::apply);
          first.apply(widget(false));
          first.status().apply(widget(true));
          SoftAssertions all = new SoftAssertions();
          for (HasMetadata object : UsualObjects.in(namespace)) {
            CachedClient next = newClient(kubernetes, informers, "restarted");
            next.apply(object);
            all.assertThat(next.skippedWrites()).as(object.getKind()).isEqualTo(1);
          }
          CachedClient next = newClient(kubernetes, informers, "restarted");
          next.apply(widget(false));
          all.assertThat(next.skippedWrites()).as("Widget").isEqualTo(1);
          next.status().apply(widget(true));
          all.assertThat(next.skippedWrites()).as("its status").isEqualTo(2);
          deleteClusterScoped(kubernetes, "restarted");
          kubernetes
              .services()
              .inNamespace(namespace)
              .withName("restarted")
              .edit(
                  service -> {
                    service.getMetadata().setFinalizers(null);
                    return service;
                  });
          all.assertAll();
        });
  }

  /** By a request that can only create; and the next process drops what was sent. */
  @Test
  void sendsNothingThatAnEarlierProcessHasCreated() throws Exception {
    withCaches(
        (kubernetes, informers) -> {
          CachedClient first = newClient(kubernetes, informers, "created");
          SoftAssertions all = new SoftAssertions();
          for (HasMetadata object : UsualObjects.in(namespace)) {
            object.getMetadata().setName("created");
            HasMetadata created = first.applyNew(object);
            CachedClient next = newClient(kubernetes, informers, "created");
            HasMetadata same = next.apply(object);
            all.assertThat(next.skippedWrites()).as(object.getKind()).isEqualTo(1);
            all.assertThat(same.getMetadata().getResourceVersion())
                .isEqualTo(created.getMetadata().getResourceVersion());
            object.getMetadata().setLabels(Map.of("other", "label"));
            object.getMetadata().setFinalizers(List.of());
            HasMetadata applied = next.apply(object);
            all.assertThat(applied.getMetadata().getLabels()).containsOnlyKeys("other");
            all.assertThat(applied.getFinalizers()).doesNotContain("example.com/a");
          }
          deleteClusterScoped(kubernetes, "created");
          all.assertAll();
        });
  }

  /** How an object came to have fields of an operator that has not applied it yet. */
  private enum Origin {
    CREATED,
    UPDATED,
    CREATED_BY_AN_EARLY_BUILD,
    APPLIED_BEFORE_A_RENAMING,
    UPDATED_BEFORE_A_RENAMING
  }

  /** Whether the object is read from a cache or not: the first apply removes what it drops. */
  @ParameterizedTest
  @EnumSource
  void takesOverItsFields(Origin origin) throws Exception {
    WriterContext.announce("new", Set.of("old"));
    withCaches(
        (kubernetes, informers) -> {
          CachedClient cached = newClient(kubernetes, informers, "");
          for (Client client : List.of(cached, cached.uncached())) {
            ConfigMap object = Samples.map(namespace, "taken-" + (client == cached));
            object.setData(Map.of("kept", "1", "dropped", "1"));
            ConfigMap live =
                switch (origin) {
                  case CREATED -> client.withFieldOwner("new").create(object);
                  case UPDATED -> {
                    ConfigMap empty = Samples.map(namespace, object.getMetadata().getName());
                    empty.getMetadata().setLabels(Map.of("others", "x"));
                    client.withFieldOwner("other").create(empty);
                    yield client
                        .withFieldOwner("new")
                        .patch(
                            object,
                            ObjectPatch.merge(
                                Serialization.asJson(Map.of("data", object.getData()))));
                  }
                  case CREATED_BY_AN_EARLY_BUILD ->
                      client.withFieldOwner("new-create-0123456789").create(object);
                  case APPLIED_BEFORE_A_RENAMING -> client.withFieldOwner("old").apply(object);
                  case UPDATED_BEFORE_A_RENAMING -> client.withFieldOwner("old").create(object);
                };
            object.setData(Map.of("kept", "1"));
            ConfigMap applied =
                new WriterContext("new", Set.of("old"), Fence.OPEN, made -> {})
                    .call(() -> client.applyWhole(object, live));
            assertThat(applied.getData()).containsExactly(Map.entry("kept", "1"));
            assertThat(applied.getMetadata().getManagedFields())
                .filteredOn(entry -> !entry.getManager().equals("other"))
                .extracting(ManagedFieldsEntry::getManager)
                .containsExactly("new");
            assertThat(Long.parseLong(applied.getMetadata().getResourceVersion()))
                .isGreaterThan(Long.parseLong(live.getMetadata().getResourceVersion()));
          }
        });
  }

  /** The desired state is the one that the operator has applied before it knew its former name. */
  @Test
  void takesOverFieldsOfANameThatIsGivenLater() throws Exception {
    WriterContext.announce("new", Set.of("old"));
    withCaches(
        (kubernetes, informers) -> {
          ConfigMap object = Samples.map(namespace, "later");
          object.setData(Map.of("kept", "1", "dropped", "1"));
          CachedClient before = newClient(kubernetes, informers, "new");
          before.withFieldOwner("old").apply(object);
          object.setData(Map.of("kept", "1"));
          ConfigMap live = before.apply(object);
          assertThat(live.getData()).containsOnlyKeys("kept", "dropped");
          CachedClient restarted = newClient(kubernetes, informers, "new");
          ConfigMap applied =
              new WriterContext("new", Set.of("old"), Fence.OPEN, made -> {})
                  .call(() -> restarted.applyWhole(object, live));
          assertThat(applied.getData()).containsOnlyKeys("kept");
        });
  }

  /** A part of the desired state: the fields that the same owner has created stay. */
  @Test
  void takesOverNothingForAPart() throws Exception {
    withCaches(
        (kubernetes, informers) -> {
          CachedClient cached = newClient(kubernetes, informers, "part");
          for (Client client : List.of(cached, cached.uncached())) {
            ConfigMap object = Samples.map(namespace, "part-" + (client == cached));
            object.setData(Map.of("created", "1"));
            client.create(object);
            object.setData(Map.of("applied", "1"));
            assertThat(client.apply(object).getData()).containsOnlyKeys("created", "applied");
          }
        });
  }

  private static void deleteClusterScoped(KubernetesClient kubernetes, String name) {
    kubernetes.resources(ClusterRole.class).withName(name).delete();
    kubernetes.resources(ValidatingWebhookConfiguration.class).withName(name).delete();
  }

  private static CachedClient newClient(
      KubernetesClient kubernetes, SharedInformerFactory informers, String owner) {
    return new CachedClient(
        kubernetes, informers, CachedClient.Settings.DEFAULT.withFieldOwner(owner));
  }

  private void run(KubernetesClient client, SharedInformerFactory informers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    AtomicInteger next = new AtomicInteger();
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("exact applies: seed %d%n", seed);
    List<Future<ExactApplySequences>> running = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      running.add(
          threads.submit(
              () -> {
                ExactApplySequences mine =
                    new ExactApplySequences(() -> newClient(client, informers, "me"), namespace);
                try {
                  for (int i = next.getAndIncrement();
                      i < sequences();
                      i = next.getAndIncrement()) {
                    mine.run(i, seed + i);
                    if (i == 0) {
                      mine.run(sequences(), WITHIN_A_SECOND);
                    }
                    if ((i + 1) % 10_000 == 0) {
                      System.out.printf("exact applies: sequence %,d%n", i + 1);
                    }
                  }
                } finally {
                  next.set(Integer.MAX_VALUE / 2); // the first that fails ends all
                }
                return mine;
              }));
    }
    ExactApplySequences.Counts all = new ExactApplySequences.Counts();
    try {
      for (Future<ExactApplySequences> one : running) {
        all.add(one.get().counts());
      }
    } finally {
      threads.shutdown();
    }
    System.out.printf("%,d sequences: %s%n", sequences(), all);
    assertThat(all.skipped).isPositive();
    assertThat(all.afterRestart).isPositive();
    assertThat(all.needed).isPositive();
  }
}
