// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import static dev.windlass.behaviour.Patience.eventually;
import static dev.windlass.examples.cli.testing.Edits.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Feeds;
import dev.windlass.examples.foo.Foo;
import dev.windlass.examples.foo.FooDeployment;
import dev.windlass.examples.foo.FooEntry;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown again though nothing changed, and to whom. */
final class R12IT extends OnRealServer {

  /** That of sample-controller. */
  private static final Duration RESYNC = Duration.ofSeconds(30);

  /** Handlers of one informer: without a resync, and with periods of 0.1 s and of 2 s. */
  @Test
  @Proves({"002-19", "002-30", "002-43", "R12"})
  void showsWhatIsThereToThoseWhoAskedForIt() throws Exception {
    ConfigMaps maps = new ConfigMaps(kubectl, namespace);
    SharedInformerFactory factory =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(operatorClient(), type, scope),
            WatchScope.namespace(namespace).withLabels(ConfigMaps.LABEL),
            InformerOptions.defaults());
    SharedIndexInformer<ConfigMap> informer =
        factory.informer(InformerSpec.of(ConfigMap.class).in(factory.defaultScope()));
    closing(() -> assertThat(factory.shutDown(Duration.ofSeconds(30))).isTrue());
    maps.create("a", "0");
    maps.create("b", "0");
    Heard never = new Heard();
    Heard tooOften = new Heard();
    Heard sometimes = new Heard();
    long startedAt = System.nanoTime(); // a period begins when its handler is added
    assertThat(informer.addEventHandler(never)).isNotNull();
    assertThat(informer.addEventHandler(tooOften, Duration.ofMillis(100))).isNotNull();
    assertThat(informer.addEventHandler(sometimes, Duration.ofSeconds(2))).isNotNull();
    factory.start();

    eventually().until(() -> sometimes.resyncs().size() >= 4 && tooOften.resyncs().size() >= 8);

    assertThat(never.resyncs()).isEmpty();
    assertThat(never.events()).hasSize(2);
    assertThat(sometimes.resyncs())
        .allMatch(e -> e.object().isSameVersion(copy(informer, e.key().name())))
        .extracting(e -> e.key().name())
        .contains("a", "b");
    assertThat(sinceStart(startedAt, tooOften.times("a"), 4))
        .as("raised to a second")
        .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    assertThat(sinceStart(startedAt, sometimes.times("a"), 2))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    maps.change("a", "1");
    eventually().until(() -> never.versions().equals(maps.versions()));
    assertThat(never.resyncs()).isEmpty();
  }

  private static CachedObject<ConfigMap> copy(
      SharedIndexInformer<ConfigMap> informer, String name) {
    return informer.indexer().list().stream()
        .filter(map -> map.key().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** From the start to the n-th time that an object was shown again. */
  private static Duration sinceStart(long startedAt, List<Long> times, int resync) {
    return Duration.ofNanos(times.get(resync) - startedAt);
  }

  /** Each Foo every 30 s, and nobody because of a Deployment, which is shown again as well. */
  @Test
  @Proves("R12")
  void looksAtEachFooEvery30SecondsAndWritesNothing() {
    FooWorld world = new FooWorld(kubectl, namespace);
    Feeds feeds = new Feeds();
    Manager manager =
        closing(
            Manager.builder()
                .client(operatorClient())
                .namespace(namespace)
                .informerOptions(
                    InformerOptions.defaults()
                        .withListeners(type -> type.kind().equals("Foo") ? feeds : new Feeds()))
                .build());
    Foo ghost = FooEntry.example(namespace);
    ghost.getMetadata().setName("ghost");
    ghost.getMetadata().setUid("1-2-3");
    Deployment orphan = FooDeployment.of(ghost, "orphan");
    // Held, or the garbage collector would take it: that its owner is gone is what matters here.
    orphan.getMetadata().setFinalizers(List.of("tests.windlass.dev/held"));
    kubectl.resource(orphan).create();
    String key = namespace + "/example-foo";
    long startedAt = System.nanoTime();
    start(manager, FooEntry::controller);
    world.create("example-foo");
    world.awaitDeployment("example-foo");
    eventually().until(() -> orphanIsGoing(world));
    awaitQuiet(key);
    long before = runs.of(key);
    long ofGhost = runs.of(namespace + "/ghost");
    List<String> writes = requests.writes();
    var deployments = manager.informers().existing(Deployment.class).orElseThrow();
    long shown = deployments.status().handlers().get(0).delivered();
    long failures = feeds.count("failed"); // a server that prepares a new type asks for patience

    eventually().until(() -> runs.of(key) > before);
    eventually().until(() -> deployments.status().handlers().get(0).delivered() >= shown + 2);

    long resyncedAt = runs.times(key).get((int) before);
    assertThat(Duration.ofNanos(resyncedAt - startedAt)).isGreaterThanOrEqualTo(RESYNC);
    assertThat(runs.of(key, Outcome.DONE)).isEqualTo(runs.of(key));
    assertThat(requests.writes()).isEqualTo(writes);
    assertThat(runs.of(namespace + "/ghost"))
        .as("asked for when its Deployment changed, and by no resync")
        .isEqualTo(ofGhost)
        .isPositive();
    // Meanwhile the server has ended the watch, in order: it was opened again without a list.
    eventually().until(() -> feeds.count("watching") > 0);
    assertThat(feeds.count("listed")).isEqualTo(1);
    assertThat(feeds.count("failed")).isEqualTo(failures);
    edit(world.deploymentOf("orphan"), found -> found.getMetadata().setFinalizers(List.of()));
  }

  private static boolean orphanIsGoing(FooWorld world) {
    Deployment orphan = world.deployment("orphan");
    return orphan != null && orphan.getMetadata().getDeletionTimestamp() != null;
  }

  /** Nothing was reconciled for three seconds. */
  private void awaitQuiet(String key) {
    eventually()
        .until(
            () -> {
              List<Long> times = runs.times(key);
              return !times.isEmpty()
                  && System.nanoTime() - times.get(times.size() - 1)
                      > Duration.ofSeconds(3).toNanos();
            });
  }
}
