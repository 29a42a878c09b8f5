// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * While the watch delivers nothing, a reconcile's object and the client's reads match the state on
 * the server, after each kind of write and for each kind of cache; holds on each server.
 */
@Timeout(120)
abstract class OwnReadsContract {

  private final String namespace = "reads-" + UUID.randomUUID().toString().substring(0, 8);
  private final ObjectKey key = ObjectKey.of(namespace, "a");

  abstract TestApiServer server();

  private static @Nullable KubernetesClient shared;

  private KubernetesClient kubectl;

  /** One client does for all runs, which make one of their own each for what is tested. */
  @BeforeEach
  void takesTheClient() {
    synchronized (OwnReadsContract.class) {
      if (shared == null) {
        shared = server().newClient();
      }
      kubectl = shared;
    }
  }

  @AfterAll
  static void closesTheClient() {
    if (shared != null) {
      shared.close();
      shared = null;
    }
  }

  /** What of a type is cached, and how. */
  enum Cached {
    WATCHED,
    NARROWED,
    FIELDS,
    SEVERAL_NAMESPACES,
    TRANSFORMED,
    METADATA,
    NO_CLASS
  }

  private static final Transform WITHOUT_TEMPLATE = tree -> tree.remove("spec", "template");

  private static final String FIELDS = "metadata.name!=nobody";

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
    ENTER_THE_SELECTION,
    DELETE,
    DELETE_HELD,
    DELETE_FOREGROUND,
    DELETE_ALL,
    DELETE_ALL_FOREGROUND,
    FABRIC8_EDIT,
    BIND,
    /** Creates a Binding object, whose body names the Pod. */
    BIND_BY_OBJECT,
    EVICT;

    boolean isOfPods() {
      return this == BIND || this == BIND_BY_OBJECT || this == EVICT;
    }

    boolean isForeground() {
      return this == DELETE_FOREGROUND || this == DELETE_ALL_FOREGROUND;
    }

    boolean creates() {
      return this == CREATE || this == APPLY_NEW;
    }
  }

  /** Each write, with and without those of Pods, for each of the given caches. */
  static Stream<Arguments> cases(boolean pods, Cached... caches) {
    return Stream.of(Written.values())
        .filter(written -> pods || !written.isOfPods())
        .flatMap(written -> Stream.of(caches).map(cached -> Arguments.of(cached, written)));
  }

  @ParameterizedTest
  @MethodSource("cases") // of the subclass
  @Execution(ExecutionMode.CONCURRENT)
  void showsWhatThisProcessWrote(Cached cached, Written written) throws Exception {
    LateWatch watch = new LateWatch();
    BlockingQueue<Run> runs = new LinkedBlockingQueue<>();
    try (Manager manager =
        Manager.builder()
            .config(server().clientConfig())
            .fieldOwner("own-reads")
            .checkPermissions(false)
            .connector(
                client -> (type, scope) -> watch.over(new HttpListerWatcher(client, type, scope)))
            .build()) {
      prepare(written);
      Class<? extends HasMetadata> type = written.isOfPods() ? Pod.class : StatefulSet.class;
      EventChannel<? extends HasMetadata> channel = Source.channel(type, manager.informerOptions());
      register(manager, cached, type, channel, runs);
      manager.start();
      boolean absent =
          written.creates()
              || (written == Written.ENTER_THE_SELECTION && cached == Cached.NARROWED);
      eventually().until(() -> absent == (next(runs, channel) == null));
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
      assertThat(version(get(cached, manager.client(), type)))
          .as("what get shows")
          .isEqualTo(version(kubectl.resources(type).inNamespace(namespace).withName("a").get()));
      assertThat(list(cached, manager.client(), type))
          .as("what list shows")
          .containsExactlyElementsOf(
              kubectl.resources(type).inNamespace(namespace).list().getItems().stream()
                  .filter(object -> inScope(cached, object) != null)
                  .map(OwnReadsContract::version)
                  .toList());
      watch.late(false);
    } finally {
      watch.late(false);
      release();
    }
  }

  /** The client that asks for what is cached. */
  private static Client reader(Cached cached, Client client) {
    return switch (cached) {
      case TRANSFORMED -> client.reading(WITHOUT_TEMPLATE);
      case METADATA -> client.reading(Projection.METADATA);
      default -> client;
    };
  }

  private @Nullable HasMetadata get(
      Cached cached, Client client, Class<? extends HasMetadata> type) {
    return cached == Cached.NO_CLASS
        ? client.get(ResourceType.of(type), key).orElse(null)
        : reader(cached, client).get(type, key).orElse(null);
  }

  /** The versions that a list shows which the cache covers. */
  private List<String> list(Cached cached, Client client, Class<? extends HasMetadata> type) {
    ListParams here = ListParams.in(namespace);
    ListParams covered =
        switch (cached) {
          case NARROWED -> here.withLabels("app=web,app!=other");
          case FIELDS -> here.withFields(FIELDS);
          case SEVERAL_NAMESPACES -> ListParams.ALL;
          default -> here;
        };
    List<? extends HasMetadata> found =
        cached == Cached.NO_CLASS
            ? client.list(ResourceType.of(type), covered)
            : reader(cached, client).list(type, covered);
    return found.stream()
        .filter(object -> object.getMetadata().getNamespace().equals(namespace))
        .map(OwnReadsContract::version)
        .toList();
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

  private void prepare(Written written) {
    kubectl.resource(Samples.namespace(namespace)).create();
    if (written.isOfPods()) {
      kubectl.resource(Samples.serviceAccount(namespace, "default")).serverSideApply();
      kubectl.resource(Samples.pod(metadata())).create();
    } else if (!written.creates()) {
      StatefulSet set = Samples.statefulSet(metadata());
      if (written == Written.DELETE_HELD) {
        set.getMetadata().setFinalizers(List.of("example.com/held"));
      }
      if (written == Written.ENTER_THE_SELECTION) {
        set.getMetadata().setLabels(Map.of("app", "other"));
      }
      kubectl.resource(set).create();
    }
    // As on a server with others on it, the caches' list is then newer than the object.
    kubectl.resource(Samples.map(namespace, "other")).create();
  }

  private void release() {
    for (Class<? extends HasMetadata> type : List.of(StatefulSet.class, Pod.class)) {
      for (HasMetadata left : kubectl.resources(type).inNamespace(namespace).list().getItems()) {
        left.getMetadata().setFinalizers(List.of());
        left.getMetadata().setResourceVersion(null);
        try {
          kubectl.resource(left).patch();
        } catch (KubernetesClientException e) {
          assertThat(e.getCode()).as("the garbage collector was faster").isEqualTo(404);
        }
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

  private static StatefulSetStatus observed() {
    StatefulSetStatus status = new StatefulSetStatus();
    status.setObservedGeneration(7L);
    return status;
  }

  private void write(Written written, Client client, KubernetesClient plain) {
    StatefulSet wanted = Samples.statefulSet(metadata());
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
              wanted,
              ObjectPatch.json("[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":5}]"));
      case PATCH_STATUS ->
          client
              .status()
              .patch(wanted, ObjectPatch.merge("{\"status\":{\"observedGeneration\":1}}"));
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
          client.patch(
              wanted, ObjectPatch.merge("{\"metadata\":{\"labels\":{\"app\":\"other\"}}}"));
      case ENTER_THE_SELECTION ->
          client.patch(wanted, ObjectPatch.merge("{\"metadata\":{\"labels\":{\"app\":\"web\"}}}"));
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
      case BIND -> client.subresource("binding").create(Pod.class, key, binding(), Status.class);
      case BIND_BY_OBJECT -> plain.bindings().inNamespace(namespace).resource(binding()).create();
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

  private static Binding binding() {
    return new BindingBuilder()
        .withNewMetadata()
        .withName("a")
        .endMetadata()
        .withNewTarget()
        .withKind("Node")
        .withName("somewhere")
        .endTarget()
        .build();
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
      case FIELDS ->
          register(
              manager,
              ControllerBuilder.forType(
                  InformerSpec.of(type).in(WatchScope.ALL.withFields(FIELDS))),
              channel,
              runs);
      case TRANSFORMED ->
          register(
              manager,
              ControllerBuilder.forType(InformerSpec.of(type).with(WITHOUT_TEMPLATE)),
              channel,
              runs);
      case METADATA -> {
        Client reader = reader(cached, manager.client());
        AtomicReference<@Nullable HasMetadata> given = new AtomicReference<>();
        register(
            manager,
            ControllerBuilder.forType(InformerSpec.of(type).with(Projection.METADATA))
                .reconciler(
                    (request, context) -> {
                      if (request.key().equals(key)) {
                        given.set(reader.get(type, key).orElse(null));
                      }
                      return Result.done();
                    }),
            given,
            channel,
            runs);
      }
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
    builder.objectReconciler(
        (object, context) -> {
          if (ObjectKey.of(object).equals(key)) {
            given.set(object);
          }
          return Result.done();
        });
    register(manager, builder, given, channel, runs);
  }

  private <T extends HasMetadata> void register(
      Manager manager,
      ControllerBuilder<T> builder,
      AtomicReference<@Nullable HasMetadata> given,
      Source channel,
      BlockingQueue<Run> runs) {
    builder
        .named("own-reads")
        .watches(channel)
        .resync(Duration.ZERO)
        .listener(
            (request, outcome, took) -> {
              if (request.key().equals(key)) {
                runs.add(new Run(System.nanoTime() - took.toNanos(), given.getAndSet(null)));
              }
            })
        .register(manager);
  }
}
