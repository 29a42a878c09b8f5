// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * P11, on each server: while the watch brings nothing, what a reconcile is given and what the
 * client reads is as the server has it, after each kind of write, and for each kind of cache.
 */
@Timeout(120)
abstract class OwnReadsContract {

  private final String namespace = "reads-" + UUID.randomUUID().toString().substring(0, 8);
  private final ObjectKey key = ObjectKey.of(namespace, "a");

  abstract TestApiServer server();

  /** Whether it knows what only the real one does: bindings and evictions. */
  abstract boolean isReal();

  /** What of a type is cached, and how. */
  enum Cached {
    WATCHED,
    NARROWED,
    SEVERAL_NAMESPACES,
    NO_CLASS
  }

  /** A write that may leave a read behind. */
  enum Written {
    UPDATE,
    UPDATE_STATUS,
    SCALE,
    MERGE_PATCH,
    JSON_PATCH,
    PATCH_STATUS,
    APPLY,
    APPLY_STATUS,
    CREATE,
    APPLY_NEW,
    LEAVE_THE_SELECTION,
    DELETE,
    DELETE_HELD,
    DELETE_FOREGROUND,
    DELETE_ALL,
    DELETE_ALL_FOREGROUND,
    FABRIC8_EDIT,
    BIND,
    EVICT;

    boolean isOfPods() {
      return this == BIND || this == EVICT;
    }

    boolean isForeground() {
      return this == DELETE_FOREGROUND || this == DELETE_ALL_FOREGROUND;
    }

    boolean creates() {
      return this == CREATE || this == APPLY_NEW;
    }
  }

  static Stream<Arguments> all() {
    return Stream.of(Cached.values())
        .flatMap(
            cached -> Stream.of(Written.values()).map(written -> Arguments.of(cached, written)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void showsWhatThisProcessWrote(Cached cached, Written written) throws Exception {
    assumeTrue(isReal() || !written.isOfPods(), "the embedded server has no Pods to bind");
    LateWatch watch = new LateWatch();
    BlockingQueue<Run> runs = new LinkedBlockingQueue<>();
    try (KubernetesClient kubectl = server().newClient();
        Manager manager =
            Manager.builder()
                .config(server().clientConfig())
                .fieldOwner("own-reads")
                .checkRights(false)
                .connector(
                    client -> (type, scope) -> watch.over(ListerWatcher.http(client, type, scope)))
                .build()) {
      prepare(kubectl, written);
      Class<? extends HasMetadata> type = written.isOfPods() ? Pod.class : StatefulSet.class;
      EventChannel<? extends HasMetadata> channel = Source.channel(type, manager.informerOptions());
      register(manager, cached, type, channel, runs);
      manager.start();
      await().until(() -> written.creates() == (next(runs, channel) == null));
      watch.late(true);

      write(written, manager.client(), manager.kubernetesClient());

      HasMetadata shown = next(runs, channel);
      HasMetadata now =
          inScope(cached, kubectl.resources(type).inNamespace(namespace).withName("a").get());
      if (written.isForeground()) { // the garbage collector may have gone on with it
        assertThat(shown == null || shown.isMarkedForDeletion()).isTrue();
        return;
      }
      assertThat(version(shown)).as("what the reconcile was given").isEqualTo(version(now));
      Client client = manager.client();
      assertThat(client.get(type, key).map(OwnReadsContract::version).orElse("absent"))
          .as("what get shows")
          .isEqualTo(version(kubectl.resources(type).inNamespace(namespace).withName("a").get()));
      assertThat(
              client.list(type, ListParams.in(namespace)).stream()
                  .map(OwnReadsContract::version)
                  .toList())
          .as("what list shows")
          .containsExactlyElementsOf(
              kubectl.resources(type).inNamespace(namespace).list().getItems().stream()
                  .map(OwnReadsContract::version)
                  .toList());
      watch.late(false);
    } finally {
      watch.late(false);
      try (KubernetesClient kubectl = server().newClient()) {
        release(kubectl);
      }
    }
  }

  private static String version(@Nullable HasMetadata object) {
    return object == null ? "absent" : object.getMetadata().getResourceVersion();
  }

  private static @Nullable HasMetadata inScope(Cached cached, @Nullable HasMetadata object) {
    boolean selected =
        object != null
            && object.getMetadata().getLabels() != null
            && "web".equals(object.getMetadata().getLabels().get("app"));
    return cached == Cached.NARROWED && !selected ? null : object;
  }

  /** A reconcile of the object; what it was given is null if it was not called at all. */
  private record Run(long start, @Nullable HasMetadata given) {}

  /** Reconciles the object, and returns what the reconcile was given. */
  private @Nullable HasMetadata next(BlockingQueue<Run> runs, EventChannel<?> channel)
      throws InterruptedException {
    long sent = System.nanoTime();
    channel.send(new Request(key));
    while (true) {
      Run run = runs.poll(20, TimeUnit.SECONDS);
      assertThat(run).as("a reconcile").isNotNull();
      if (run.start() - sent >= 0) {
        return run.given();
      }
    }
  }

  private void prepare(KubernetesClient kubectl, Written written) {
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    if (written.isOfPods()) {
      kubectl
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withNamespace(namespace)
                  .withName("default")
                  .endMetadata()
                  .build())
          .serverSideApply();
      kubectl.resource(pod()).create();
    } else if (!written.creates()) {
      StatefulSet set = set();
      if (written == Written.DELETE_HELD) {
        set.getMetadata().setFinalizers(List.of("example.com/held"));
      }
      kubectl.resource(set).create();
    }
  }

  private void release(KubernetesClient kubectl) {
    for (Class<? extends HasMetadata> type : List.of(StatefulSet.class, Pod.class)) {
      for (HasMetadata left : kubectl.resources(type).inNamespace(namespace).list().getItems()) {
        left.getMetadata().setFinalizers(List.of());
        left.getMetadata().setResourceVersion(null);
        kubectl.resource(left).patch();
        kubectl.resource(left).withGracePeriod(0).delete();
      }
    }
    kubectl.namespaces().withName(namespace).delete();
  }

  private ObjectMeta metadata() {
    return new ObjectMetaBuilder()
        .withNamespace(namespace)
        .withName("a")
        .withLabels(Map.of("app", "web"))
        .build();
  }

  private Pod pod() {
    return new PodBuilder()
        .withMetadata(metadata())
        .withNewSpec()
        .withSchedulerName("nobody")
        .addNewContainer()
        .withName("a")
        .withImage("a")
        .endContainer()
        .endSpec()
        .build();
  }

  private StatefulSet set() {
    return new StatefulSetBuilder()
        .withMetadata(metadata())
        .withNewSpec()
        .withReplicas(1)
        .withServiceName("a")
        .withNewSelector()
        .addToMatchLabels("app", "web")
        .endSelector()
        .withNewTemplate()
        .withMetadata(new ObjectMetaBuilder().withLabels(Map.of("app", "web")).build())
        .withSpec(pod().getSpec())
        .endTemplate()
        .endSpec()
        .build();
  }

  private static StatefulSetStatus observed() {
    StatefulSetStatus status = new StatefulSetStatus();
    status.setObservedGeneration(7L);
    return status;
  }

  private void write(Written written, Client client, KubernetesClient plain) {
    StatefulSet wanted = set();
    switch (written) {
      case UPDATE -> {
        StatefulSet now = client.get(StatefulSet.class, key).orElseThrow();
        now.getSpec().setReplicas(2);
        client.update(now);
      }
      case UPDATE_STATUS -> {
        StatefulSet now = client.get(StatefulSet.class, key).orElseThrow();
        now.setStatus(observed());
        client.updateStatus(now);
      }
      case SCALE -> {
        Scale scale = client.subresource("scale").read(StatefulSet.class, key, Scale.class);
        scale.getSpec().setReplicas(3);
        client.subresource("scale").replace(StatefulSet.class, key, scale);
      }
      case MERGE_PATCH -> client.patch(wanted, ObjectPatch.merge("{\"spec\":{\"replicas\":4}}"));
      case JSON_PATCH ->
          client.patch(
              wanted, ObjectPatch.json("[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":5}]"));
      case PATCH_STATUS ->
          client.status().patch(wanted, ObjectPatch.merge("{\"status\":{\"observedGeneration\":1}}"));
      case APPLY -> {
        wanted.getSpec().setReplicas(6);
        client.apply(wanted);
      }
      case APPLY_STATUS -> {
        wanted.setSpec(null);
        wanted.setStatus(observed());
        client.status().apply(wanted);
      }
      case CREATE -> client.create(wanted);
      case APPLY_NEW -> client.applyNew(wanted);
      case LEAVE_THE_SELECTION ->
          client.patch(wanted, ObjectPatch.merge("{\"metadata\":{\"labels\":{\"app\":\"other\"}}}"));
      case DELETE, DELETE_HELD -> client.delete(StatefulSet.class, key);
      case DELETE_FOREGROUND ->
          client.delete(
              StatefulSet.class,
              key,
              DeleteParams.DEFAULT.withPropagation(DeleteParams.Propagation.FOREGROUND));
      case DELETE_ALL ->
          client.deleteAllOf(StatefulSet.class, ListParams.in(namespace), DeleteParams.DEFAULT);
      case DELETE_ALL_FOREGROUND ->
          client.deleteAllOf(
              StatefulSet.class,
              ListParams.in(namespace),
              DeleteParams.DEFAULT.withPropagation(DeleteParams.Propagation.FOREGROUND));
      case FABRIC8_EDIT ->
          plain
              .resources(StatefulSet.class)
              .inNamespace(namespace)
              .withName("a")
              .edit(d -> new StatefulSetBuilder(d).editSpec().withReplicas(7).endSpec().build());
      case BIND ->
          client
              .subresource("binding")
              .create(
                  Pod.class,
                  key,
                  new BindingBuilder()
                      .withNewMetadata()
                      .withName("a")
                      .endMetadata()
                      .withNewTarget()
                      .withKind("Node")
                      .withName("somewhere")
                      .endTarget()
                      .build(),
                  Status.class);
      case EVICT ->
          client
              .subresource("eviction")
              .create(
                  Pod.class,
                  key,
                  new EvictionBuilder()
                      .withNewMetadata()
                      .withNamespace(namespace)
                      .withName("a")
                      .endMetadata()
                      .build(),
                  Status.class);
    }
  }

  private <T extends HasMetadata> void register(
      Manager manager, Cached cached, Class<T> type, Source channel, BlockingQueue<Run> runs) {
    switch (cached) {
      case WATCHED -> register(manager, ControllerBuilder.forType(type), channel, runs);
      case NARROWED ->
          register(
              manager,
              ControllerBuilder.forType(
                  InformerSpec.of(type).in(WatchScope.ALL.withLabels("app=web"))),
              channel,
              runs);
      case SEVERAL_NAMESPACES ->
          register(
              manager,
              ControllerBuilder.forType(type).inNamespaces(namespace, "default"),
              channel,
              runs);
      case NO_CLASS -> {
        InformerSpec<GenericKubernetesResource> spec = InformerSpec.of(ResourceType.of(type));
        register(manager, ControllerBuilder.forType(spec), channel, runs);
      }
    }
  }

  private <T extends HasMetadata> void register(
      Manager manager, ControllerBuilder<T> builder, Source channel, BlockingQueue<Run> runs) {
    AtomicReference<@Nullable HasMetadata> given = new AtomicReference<>();
    builder
        .named("own-reads")
        .watches(channel)
        .resync(Duration.ZERO)
        .objectReconciler(
            (object, context) -> {
              given.set(object);
              return Result.done();
            })
        .listener(
            (request, outcome, took) -> {
              if (request.key().equals(key)) {
                runs.add(new Run(System.nanoTime() - took.toNanos(), given.getAndSet(null)));
              }
            })
        .register(manager);
  }
}
