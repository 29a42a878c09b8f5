// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.References;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.tests.owned.Widget;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The code of {@code docs/concepts}. */
@Timeout(60)
final class ConceptsTest {

  private static final Logger log = LoggerFactory.getLogger(ConceptsTest.class);

  @AutoClose private final GuideServer server = new GuideServer();
  private final Manager manager = server.manager;
  private final Client client = server.client;
  private final Queue<String> news = new ConcurrentLinkedQueue<>();
  private final Reconciler reconciler =
      (request, context) -> {
        news.add("reconciles " + request.name());
        return Result.done();
      };

  private void create(String name, Map<String, String> labels) {
    server
        .kubectl
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build())
        .create();
  }

  private void awaitNews(String... lines) {
    await().untilAsserted(() -> assertThat(news).contains(lines));
  }

  private void updateAStaleOne(Client client, ObjectKey key) {
    // sample: stale
    Widget widget = client.get(Widget.class, key).orElseThrow();
    widget.getSpec().setSize(3);
    client.update(widget); // with the resourceVersion that was read: rejected if outdated
    // end
  }

  @Test
  void refusesWhatWasReadFromAnOldCache() {
    Widget read = server.create("w");
    updateAStaleOne(client, ObjectKey.of(read));
    assertThat(server.get("w").getSpec().getSize()).isEqualTo(3);
    assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> client.update(read));
  }

  @Test
  void findsByAnIndex() {
    create("a", Map.of("colour", "red"));
    create("b", Map.of("colour", "blue"));
    // sample: index
    manager
        .cache(ConfigMap.class)
        .indexer()
        .addIndex("colour", map -> List.of(map.labels().getOrDefault("colour", "none")));
    // end
    manager.start();
    await().until(manager.informers().existing(ConfigMap.class).orElseThrow()::hasSynced);
    // sample: lookup
    List<ConfigMap> red = client.list(ConfigMap.class, ListParams.ALL.withIndex("colour", "red"));
    // end
    assertThat(red).extracting(map -> map.getMetadata().getName()).containsExactly("a");
  }

  private NamespaceSet changing(Reconciler reconciler, Manager manager) {
    // sample: namespaces
    NamespaceSet tenants = NamespaceSet.of("default");
    ControllerBuilder.forType(Widget.class)
        .inNamespaces(tenants)
        .reconciler(reconciler)
        .register(manager);
    // end
    return tenants;
  }

  @Test
  void followsNamespacesThatComeAndGo() {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    server
        .kubectl
        .resource(new NamespaceBuilder().withNewMetadata().withName("shop").endMetadata().build())
        .create();
    server.create("w");
    server.kubectl.resource(Widget.of("shop", "w")).create();
    NamespaceSet tenants =
        changing(
            (request, context) -> {
              seen.add(request.toString());
              return Result.done();
            },
            server.manager);
    server.manager.start();
    await().until(() -> seen.contains("default/w"));
    assertThat(seen).doesNotContain("shop/w");
    tenants.add("shop");
    await().until(() -> seen.contains("shop/w"));
  }

  private void ownSomeSecrets(Reconciler reconciler, Manager manager) {
    // sample: narrow
    ControllerBuilder.forType(Widget.class)
        .owns(InformerSpec.of(Secret.class).in(WatchScope.ALL.withLabels("app=widget")))
        .reconciler(reconciler)
        .register(manager);
    // end
  }

  @Test
  void readsFromTheServerWhatANarrowCacheMayLack() {
    ownSomeSecrets((request, context) -> Result.done(), server.manager);
    server.manager.start();
    server
        .kubectl
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("unlabelled")
                .endMetadata()
                .build())
        .create();
    assertThat(client.get(Secret.class, ObjectKey.of("default", "unlabelled"))).isPresent();
    assertThat(client.list(Secret.class, "default")).hasSize(1);
    InformerSpec<Secret> spec =
        InformerSpec.of(Secret.class).in(WatchScope.ALL.withLabels("app=widget"));
    await().until(() -> server.manager.informers().existing(spec).orElseThrow().hasSynced());
    assertThat(server.manager.informers().existing(spec).orElseThrow().lister().list("")).isEmpty();
    assertThat(server.manager.informers().existing(InformerSpec.of(Secret.class))).isEmpty();
    assertThat(client.get(Secret.class, ObjectKey.of("default", "unlabelled"))).isPresent();
  }

  @Test
  void narrowsATypeForTheWholeProgram() {
    Config config = server.kubectl.getConfiguration();
    // sample: policy
    Manager manager =
        Manager.builder()
            .config(config)
            .cache(
                InformerSpec.of(Secret.class).in(WatchScope.ALL.withLabels("app=widget")),
                InformerSpec.of(ConfigMap.class).in(WatchScope.namespace("shop")),
                InformerSpec.of(ConfigMap.class).in(WatchScope.namespace("stock")))
            .neverCache(Pod.class)
            .build();
    // end
    assertThat(manager.informers().restriction(ResourceType.of(ConfigMap.class)))
        .contains(Set.of("shop", "stock"));
    manager.close();
  }

  // sample: form
  static final Transform NO_DATA = Transform.dropFields("data");

  // end

  @Test
  void readsAPartOfAnObjectAndPatchesIt() {
    create("a", Map.of("colour", "red"));
    ObjectKey key = ObjectKey.of("default", "a");
    // sample: reading
    Client reader = client.reading(NO_DATA);
    ConfigMap partial = reader.get(ConfigMap.class, key).orElseThrow();
    ConfigMap changed =
        new ConfigMapBuilder(partial).editMetadata().addToLabels("k", "v").endMetadata().build();
    client.patch(changed, ObjectPatch.mergeFrom(partial));
    // end
    assertThat(client.get(ConfigMap.class, key).orElseThrow().getMetadata().getLabels())
        .containsKeys("colour", "k");
  }

  @Test
  void hearsOfWhatItOwns() {
    server.create("w");
    // sample: owns
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .reconciler(reconciler)
        .register(manager);
    // end
    manager.start();
    awaitNews("reconciles w");
  }

  private record Component(Phase phase, Queue<String> news) implements ManagedComponent {
    @Override
    public void start() {
      news.add("starts " + phase);
    }

    @Override
    public boolean stop(Duration limit) {
      return true;
    }
  }

  @Test
  void startsInTheOrderOfThePhases() {
    ManagedComponent priceList = new Component(Phase.ALWAYS, news);
    ManagedComponent report = new Component(Phase.LEADER, news);
    // sample: components
    manager.add("nightly-report", report); // its phase() is LEADER, the default
    manager.add("price-list", priceList); // its phase() is ALWAYS: on each replica
    // end
    manager.start();
    awaitNews("starts LEADER");
    assertThat(news).containsExactly("starts ALWAYS", "starts LEADER");
  }

  private static List<Request> widgetsThatUse(ObjectKey map) {
    return List.of(new Request(ObjectKey.of(map.namespace(), "user-of-" + map.name())));
  }

  @Test
  void watchesInManyWays() throws InterruptedException {
    EventChannel<Widget> channel = Source.channel(Widget.class, manager.informerOptions());
    // sample: sources
    ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged())
        .owns(Deployment.class)
        .watches(
            InformerSpec.of(ConfigMap.class).with(Projection.METADATA),
            EventHandler.mappingMetadata(map -> widgetsThatUse(map.key())))
        .watches(channel, EventHandler.self())
        .withEventFilter(EventPredicate.labelSelector("app=shop"))
        .reconciler(reconciler)
        .register(manager);
    // end
    manager.start();
    create("shop", Map.of("app", "shop"));
    create("other", Map.of());
    awaitNews("reconciles user-of-shop");
    channel.send(new Request(ObjectKey.of("default", "sent")));
    awaitNews("reconciles sent");
    assertThat(news).doesNotContain("reconciles user-of-other");
  }

  // sample: names
  private static List<ObjectKey> configsOf(Widget widget) {
    List<ObjectKey> keys = new ArrayList<>();
    for (String part : widget.getSpec().getParts()) {
      try {
        keys.add(References.local(widget, null, part));
      } catch (IllegalArgumentException e) {
        log.debug("no object can have this name", e); // as in "a/b"; the reconciler reports it
      }
    }
    return keys;
  }

  // end

  @Test
  void watchesWhatItsObjectsReferTo() {
    // sample: references
    ControllerBuilder.forType(Widget.class)
        .watchesReferenced(ConfigMap.class, ConceptsTest::configsOf)
        .reconciler(reconciler)
        .register(manager);
    // end
    Widget shop = Widget.of("default", "shop");
    shop.getSpec().setParts(List.of("a/b", "", "prices"));
    server.kubectl.resource(shop).create();
    server.create("other");
    manager.start();
    awaitNews("reconciles shop", "reconciles other");
    news.clear();
    create("prices", Map.of());
    awaitNews("reconciles shop");
    assertThat(news).doesNotContain("reconciles other");
  }

  private static void work(WorkQueue<ObjectKey> queue, List<ObjectKey> done)
      throws InterruptedException {
    // sample: loop
    for (var next = queue.take(); next.isPresent(); next = queue.take()) {
      try (WorkItem<ObjectKey> item = next.get()) { // closing it gives the key back
        done.add(item.key());
        queue.forget(item.key());
      }
    }
    // end
  }

  private static WorkQueueOptions<ObjectKey> givingUp() {
    return
    // sample: give-up
    WorkQueueOptions.<ObjectKey>named("foos")
        .withMaxRetries(10, (key, failures) -> log.warn("giving up on {} after {}", key, failures));
    // end
  }

  @Test
  void worksUntilTheQueueIsShutDown() throws InterruptedException {
    WorkQueue<ObjectKey> queue = WorkQueue.create(givingUp());
    ObjectKey key = ObjectKey.of("default", "a");
    queue.add(key);
    queue.shutDown();
    List<ObjectKey> done = new ArrayList<>();
    work(queue, done);
    assertThat(done).containsExactly(key);
    assertThat(queue.inWork()).isEmpty();
  }
}
