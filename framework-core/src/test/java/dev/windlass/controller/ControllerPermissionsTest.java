// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.core.Foo;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a manager needs, by what its parts have said. */
final class ControllerPermissionsTest extends BuilderHarness {

  private static Stream<String> some(String what, String... verbs) {
    return Stream.of(verbs).map(verb -> verb + " " + what);
  }

  private static List<String> rights(Manager manager) {
    return manager.permissions().all().stream().map(Permission::toString).toList();
  }

  @Test
  void readsWhatItWatchesAndWritesWhatItOwns() {
    ControllerBuilder.forType(Foo.class)
        .owns(Deployment.class)
        .watches(ConfigMap.class, EventHandler.mapping(map -> List.of()))
        .usesNoStatus()
        .reconciler(NOTHING)
        .register(manager);

    String foos = ResourceType.of(Foo.class).resource();
    assertThat(rights(manager))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    some(foos + " in the whole cluster", "get", "list", "watch"),
                    some(foos + "/finalizers in the whole cluster", "update"),
                    some("configmaps in the whole cluster", "get", "list", "watch"),
                    some("events.events.k8s.io in the whole cluster", "create", "patch"),
                    some(
                        "deployments.apps in the whole cluster",
                        "get",
                        "list",
                        "watch",
                        "create",
                        "update",
                        "patch",
                        "delete"))
                .flatMap(rights -> rights)
                .toList());
  }

  @Test
  void readsOnlyTheObjectThatItWatchesByName() {
    WatchScope one = WatchScope.namespace("shop").named("prices");
    ControllerBuilder.withoutType("prices")
        .watches(InformerSpec.of(ConfigMap.class).in(one), EventHandler.self())
        .reconciler(NOTHING)
        .register(manager);
    manager.informers().informer(InformerSpec.of(ConfigMap.class).in(one));

    assertThat(rights(manager))
        .containsExactlyInAnyOrderElementsOf(
            some("configmaps \"prices\" in the namespace shop", "get", "list", "watch").toList());
  }

  /** A read among what is used is one more right; a write says what is done, and no more. */
  @Test
  void writesOnlyAsItSaysWhereItSaysSo() {
    ControllerBuilder.forType(Foo.class)
        .owns(Deployment.class)
        .owns(Secret.class)
        .uses(Deployment.class, Verb.CREATE, Verb.UPDATE)
        .uses(Secret.class, Verb.GET)
        .reconciler(NOTHING)
        .register(manager);
    assertThat(rights(manager))
        .filteredOn(right -> right.contains("deployments"))
        .containsExactlyInAnyOrderElementsOf(
            some(
                    "deployments.apps in the whole cluster",
                    "get",
                    "list",
                    "watch",
                    "create",
                    "update")
                .toList());
    assertThat(rights(manager)).contains("delete secrets in the whole cluster");
  }

  @Test
  void writesTheStatusOfATypeThatHasOneAndFinalizersIfToldSo() {
    ControllerBuilder.forType(Foo.class)
        .usesStatus()
        .usesFinalizers()
        .reconciler(NOTHING)
        .register(manager);
    assertThat(rights(manager))
        .filteredOn(right -> right.startsWith("patch") || right.startsWith("update"))
        .filteredOn(right -> !right.contains("events"))
        .hasSize(3)
        .filteredOn(right -> right.contains("/status"))
        .hasSize(2);
  }

  @Test
  void needsAClassWithAStatusToWriteOne() {
    assertThat(ObjectCodec.of(WithStatus.class).hasStatus()).isTrue();
    assertThat(ObjectCodec.of(Derived.class).hasStatus()).isTrue();
    assertThat(ObjectCodec.of(Without.class).hasStatus()).isFalse();
    assertThat(ObjectCodec.of(ConfigMap.class).hasStatus()).isFalse();
  }

  @Test
  void staysInTheNamespacesOfTheController() {
    ControllerBuilder.forType(ConfigMap.class)
        .owns(Secret.class)
        .inNamespaces("shop", "yard")
        .uses(Deployment.class, Verb.GET)
        .uses(Namespace.class, Verb.CREATE)
        .reconciler(NOTHING)
        .register(manager);
    assertThat(manager.permissions().roles("x"))
        .extracting(role -> role.getKind() + " " + role.getMetadata().getNamespace())
        .containsExactly("ClusterRole null", "Role shop", "Role yard");
    assertThat(manager.permissions().roles("x").get(0).toString())
        .contains("namespaces")
        .doesNotContain("secrets");
    assertThat(rights(manager))
        .contains(
            "create events.events.k8s.io in the namespace shop",
            "get deployments.apps in the namespace shop",
            "get deployments.apps in the namespace yard",
            "create namespaces in the whole cluster");
  }

  @Test
  void knowsWhatElectionsEventsAndCachesTake() {
    try (Manager other =
        settings()
            .namespace("shop")
            .leaderElection(LeaderElectionOptions.of("op").withNamespace("home"))
            .build()) {
      var unused = other.eventRecorder("op");
      other.cache(Secret.class);
      other.uses(ConfigMap.class, Verb.DELETECOLLECTION);
      other.uses(Permissions.uses(ResourceType.of(ConfigMap.class), "yard", Verb.GET));
      assertThat(rights(other))
          .containsExactlyInAnyOrder(
              "create events.events.k8s.io in the namespace default",
              "patch events.events.k8s.io in the namespace default",
              "create events.events.k8s.io in the namespace shop",
              "patch events.events.k8s.io in the namespace shop",
              "create leases.coordination.k8s.io in the namespace home",
              "list leases.coordination.k8s.io in the namespace home",
              "get leases.coordination.k8s.io \"op\" in the namespace home",
              "update leases.coordination.k8s.io \"op\" in the namespace home",
              "get secrets in the namespace shop",
              "list secrets in the namespace shop",
              "watch secrets in the namespace shop",
              "deletecollection configmaps in the namespace shop",
              "get configmaps in the namespace yard");
    }
  }

  @Test
  void showsToTheServerWhoReadsTheMetrics() {
    try (Manager other = settings().metricsAuthentication(true).build()) {
      assertThat(rights(other))
          .containsExactly(
              "create tokenreviews.authentication.k8s.io in the whole cluster",
              "create subjectaccessreviews.authorization.k8s.io in the whole cluster");
    }
  }

  @Test
  void refusesAUseWithoutAPurpose() {
    assertThatThrownBy(
            () ->
                ControllerBuilder.forType(Foo.class)
                    .uses(Secret.class)
                    .reconciler(NOTHING)
                    .register(manager))
        .hasMessageContaining("uses Secret without a verb");
  }

  @Group("test.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // never written
  private static class WithStatus extends CustomResource<String, String> {}

  @Group("test.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // never written
  private static final class Derived extends WithStatus {}

  @Group("test.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // never written
  private static final class Without extends CustomResource<String, Void> {}
}
