// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.core.Http;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the manager is told of the caches of a type holds for all who name the type. */
@Timeout(60)
final class CachePolicyTest {

  private static final Transform STRIP = Transform.dropFields("status");
  private static final InformerSpec<Secret> SECRETS = InformerSpec.of(Secret.class);
  private static final InformerSpec<Secret> LABELLED =
      SECRETS.in(WatchScope.ALL.withLabels("app=web"));

  @AutoClose private final Http server = new Http();
  private final FakeListerWatcher watched = new FakeListerWatcher();

  private ManagerBuilder builder() {
    return Manager.builder()
        .config(server.config())
        .checkPermissions(false)
        .connector(client -> (type, scope) -> watched);
  }

  private static void register(Manager manager, UnaryOperator<ControllerBuilder<ConfigMap>> more) {
    ControllerBuilder<ConfigMap> builder = ControllerBuilder.forType(ConfigMap.class);
    more.apply(builder.reconciler((request, context) -> Result.done())).register(manager);
  }

  private static List<String> specs(Manager manager) {
    return manager.informers().informers().stream()
        .map(SharedIndexInformer::spec)
        .map(spec -> spec.type().kind() + ": " + spec.scope())
        .sorted()
        .toList();
  }

  @Test
  void oneCacheServesAllWhoNameTheType() {
    try (Manager manager =
        builder()
            .cache(LABELLED, InformerSpec.of(Service.class).with(Projection.METADATA))
            .cacheTransform(STRIP)
            .build()) {
      register(manager, c -> c.owns(Secret.class).watches(Service.class, EventHandler.self()));
      manager.cache(Secret.class);
      manager.start();
      Eventually.that(
          () ->
              assertThat(specs(manager))
                  .containsExactly(
                      "ConfigMap: all namespaces",
                      "Secret: all namespaces with labels app=web",
                      "Service: all namespaces"));
      assertThat(manager.informers().existing(ConfigMap.class).orElseThrow().spec().transform())
          .isSameAs(STRIP);
      assertThat(manager.informers().existing(Secret.class).orElseThrow().spec())
          .as("a spec of its own knows no default")
          .isEqualTo(LABELLED);
      assertThat(
              manager.informers().existing(Service.class).orElseThrow().spec().codec().projection())
          .isEqualTo(Projection.METADATA);
    }
  }

  @Test
  void severalNamespacesOfATypeAreOneCacheToThoseWhoNameIt() {
    try (Manager manager =
        builder()
            .cache(SECRETS.in(WatchScope.namespace("a")), SECRETS.in(WatchScope.namespace("b")))
            .build()) {
      register(manager, c -> c.owns(Secret.class));
      assertThat(manager.cache(Secret.class)).isSameAs(manager.cache(Secret.class));
      manager.start();
      Eventually.that(
          () ->
              assertThat(specs(manager))
                  .containsExactly(
                      "ConfigMap: all namespaces", "Secret: namespace a", "Secret: namespace b"));
      assertThat(manager.informers().restriction(SECRETS.type())).contains(Set.of("a", "b"));
      assertThat(manager.permissions().yaml("x")).contains("namespace: \"a\"", "namespace: \"b\"");
      assertThatThrownBy(() -> manager.informers().informer(Secret.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("use cache(Class)");
    }
  }

  @Test
  void aSpecThatSaysWhatThePolicySaysIsTheSameCache() {
    try (Manager manager = builder().cache(LABELLED).build()) {
      register(manager, c -> c.owns(LABELLED).watches(Secret.class, EventHandler.self()));
      manager.start();
      Eventually.that(() -> assertThat(specs(manager)).hasSize(2));
    }
  }

  /** Who restricts a program to a namespace relies on it. */
  @Test
  void aControllerStaysInTheNamespaceOfItsManager() {
    try (Manager manager = builder().namespace("x").build()) {
      for (UnaryOperator<ControllerBuilder<ConfigMap>> elsewhere :
          List.<UnaryOperator<ControllerBuilder<ConfigMap>>>of(
              c -> c.inNamespaces("x", "b"),
              c -> c.inNamespaces(NamespaceSet.of("x")),
              c -> c.inNamespacesWith("team=blue"))) {
        assertThatThrownBy(() -> register(manager, elsewhere))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(
                "restricted to the namespace 'x' (--namespace, WINDLASS_NAMESPACE")
            .hasMessageContaining(" by inNamespaces");
      }
      register(manager, c -> c.inNamespaces("x"));
      manager.start();
    }
  }

  @Test
  void aControllerInSomeNamespacesRestrictsTheType() {
    try (Manager manager = builder().build()) {
      ResourceType maps = ResourceType.of(ConfigMap.class);
      assertThat(manager.informers().restriction(maps)).isEmpty();
      register(manager, c -> c.inNamespaces("a", "b"));
      manager.start();
      Eventually.that(
          () -> assertThat(manager.informers().restriction(maps)).contains(Set.of("a", "b")));
    }
  }

  @Test
  void neverIsNever() {
    try (Manager manager = builder().neverCache(Secret.class).cacheOnFirstUse(true).build()) {
      assertThatThrownBy(() -> manager.cache(Secret.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("secrets can't be cached because of neverCache(...)");
    }
  }

  private static String spec(KubernetesCluster cluster, Class<? extends HasMetadata> type) {
    cluster.informers().cache(type);
    InformerSpec<?> spec = cluster.informers().existing(type).orElseThrow().spec();
    return spec.scope() + (spec.transform() == STRIP ? ", stripped" : "");
  }

  /** But for a spec that names a cluster, which holds there only. */
  @Test
  void allHoldForEachCluster() {
    InformerSpec<Secret> east = SECRETS.in(WatchScope.ALL.withLabels("app=db")).inCluster("east");
    try (Manager manager =
        builder()
            .namespace("x")
            .cache(LABELLED, east)
            .cacheTransform(STRIP)
            .neverCache(Service.class)
            .build()) {
      for (String name : List.of("", "east", "west")) {
        KubernetesCluster cluster =
            name.isEmpty()
                ? manager.findCluster("").orElseThrow()
                : manager.cluster(name, server.config());
        assertThat(spec(cluster, Secret.class))
            .isEqualTo("namespace x with labels app=" + (name.equals("east") ? "db" : "web"));
        assertThat(spec(cluster, ConfigMap.class)).isEqualTo("namespace x, stripped");
        assertThatThrownBy(() -> cluster.informers().cache(Service.class))
            .hasMessageContaining("services can't be cached because of neverCache(...)");
      }
    }
  }

  /** As in a hub, which is restricted to its own namespace. */
  @Test
  void anotherClusterMayHaveAnotherScope() {
    try (Manager manager = builder().namespace("x").cache(LABELLED).build()) {
      KubernetesCluster east = manager.cluster("east", server.config(), WatchScope.ALL);
      assertThat(spec(east, ConfigMap.class)).isEqualTo("all namespaces");
      assertThat(spec(east, Secret.class)).isEqualTo("all namespaces with labels app=web");
      assertThat(manager.informers().defaultScope().namespace()).isEqualTo("x");
      assertThatThrownBy(
              () -> manager.cluster("west", server.config(), WatchScope.ALL.withLabels("a=b")))
          .hasMessageContaining("which has selectors: use ManagerBuilder.cache(...) for them");
      assertThatThrownBy(() -> manager.remove(manager.findCluster("").orElseThrow()))
          .hasMessage("the manager's own cluster can't be removed");
    }
  }

  @Test
  void aClusterThatIsNotConnectedIsNamed() {
    try (Logs logs = Logs.of(Manager.class);
        Manager manager = builder().cache(SECRETS.inCluster("est"), LABELLED).build()) {
      manager.cluster("east", server.config());
      manager.start();
      assertThat(logs.lines())
          .contains("WARN cache(...) names the cluster 'est', which is not connected yet");
    }
  }

  private record Case(String what, UnaryOperator<ManagerBuilder> told, String sentence) {}

  static Stream<Case> contradictions() {
    return Stream.of(
        new Case(
            "two selectors",
            b -> b.cache(SECRETS, LABELLED),
            "give one InformerSpec for the type, or several that differ in their namespace only"),
        new Case(
            "the same twice",
            b -> b.cache(LABELLED).cache(LABELLED),
            "secrets are cached twice in the same place"),
        new Case(
            "a namespace and all",
            b -> b.cache(SECRETS, SECRETS.in(WatchScope.namespace("a"))),
            "leave one of the two out"),
        new Case(
            "two selectors for another cluster",
            b -> b.cache(SECRETS.inCluster("east"), LABELLED.inCluster("east")),
            "give one InformerSpec for the type, or several that differ in their namespace only"),
        new Case(
            "never and a spec",
            b -> b.neverCache(Secret.class).cache(SECRETS),
            "secrets have an InformerSpec in cache(...), and are in neverCache(...)"),
        new Case(
            "another namespace than the manager's",
            b -> b.namespace("x").cache(SECRETS.in(WatchScope.namespace("a"))),
            "the manager is restricted to namespace x, and the cache of secrets to namespace a"),
        new Case(
            "a namespace of what lives in none",
            b -> b.cache(InformerSpec.of(Namespace.class).in(WatchScope.namespace("a"))),
            "the type is cluster-scoped: leave the namespace out"));
  }

  @ParameterizedTest
  @MethodSource("contradictions")
  void refusesToBuildWhatContradictsItself(Case c) {
    assertThatThrownBy(() -> c.told().apply(builder()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(c.sentence());
  }

  private record Watch(
      String what,
      UnaryOperator<ManagerBuilder> told,
      UnaryOperator<ControllerBuilder<ConfigMap>> watch,
      String sentence) {}

  static Stream<Watch> refused() {
    return Stream.of(
        new Watch(
            "another spec",
            b -> b.cache(LABELLED),
            c -> c.owns(SECRETS.in(WatchScope.ALL.withLabels("app=db"))),
            "which would be two caches: name the class without an InformerSpec"),
        new Watch(
            "a type that is never cached",
            b -> b.neverCache(Secret.class),
            c -> c.owns(Secret.class),
            "watches secrets, which ManagerBuilder.neverCache(...) forbids"),
        new Watch(
            "other namespaces",
            b -> b.cache(SECRETS.in(WatchScope.namespace("a"))),
            c -> c.owns(Secret.class).inNamespaces("a", "c"),
            "widen one or narrow the other"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesAControllerThatContradictsIt(Watch c) {
    try (Manager manager = c.told().apply(builder()).build()) {
      assertThatThrownBy(() -> register(manager, c.watch()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(c.sentence());
    }
  }

  @Test
  void refusesAReconcilerOfObjectsOfWhichThePolicyKeepsTheMetadata() {
    InformerSpec<ConfigMap> metadata = InformerSpec.of(ConfigMap.class).with(Projection.METADATA);
    try (Manager manager = builder().cache(metadata).build()) {
      assertThatThrownBy(
              () ->
                  ControllerBuilder.forType(ConfigMap.class)
                      .objectReconciler((object, context) -> Result.done())
                      .register(manager))
          .hasMessageContaining("watches their metadata only");
    }
  }
}
