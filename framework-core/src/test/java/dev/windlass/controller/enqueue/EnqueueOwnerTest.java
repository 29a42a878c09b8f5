// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.FOO;
import static dev.windlass.testing.core.Samples.cachedConfigMap;
import static dev.windlass.testing.core.Samples.cachedFoo;
import static dev.windlass.testing.core.Samples.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.core.Foo;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EnqueueOwnerTest {

  private final Store<Foo> foos = Store.create();
  private final RecordingSink sink = new RecordingSink();

  EnqueueOwnerTest() {
    foos.put(cachedFoo("a"));
    foos.put(cachedFoo("b"));
  }

  private static ResourceEvent<ConfigMap> added(OwnerReference... owners) {
    return new ResourceEvent.Added<>(cachedConfigMap("owned", 1, owners), false);
  }

  private record Case(
      String owner, OwnerReference reference, List<String> controllers, List<String> every) {}

  static Stream<Case> cases() {
    List<String> none = List.of();
    List<String> a = List.of("default/a");
    return Stream.of(
        new Case("the controller", ownedBy("a").build(), a, a),
        new Case(
            "an owner that is no controller", ownedBy("a").withController(false).build(), none, a),
        new Case("an owner that does not say", ownedBy("a").withController(null).build(), none, a),
        new Case(
            "the controller, in another version of its type",
            ownedBy("a").withApiVersion("samplecontroller.k8s.io/v2").build(),
            a,
            a),
        new Case(
            "the same kind of a foreign group",
            ownedBy("a").withApiVersion("example.com/v1alpha1").build(),
            none,
            none),
        new Case(
            "the same kind of the core group",
            ownedBy("a").withApiVersion("v1").build(),
            none,
            none),
        new Case("another kind of the group", ownedBy("a").withKind("Bar").build(), none, none),
        new Case("a predecessor of the owner", ownedBy("a").withUid("old").build(), none, none),
        new Case(
            "an owner that the cache does not hold",
            ownedBy("unknown").build(),
            List.of("default/unknown"),
            List.of("default/unknown")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void requestsWhoOwnsIt(Case c) {
    EventHandler.<ConfigMap>owner(FOO, () -> foos).handle(added(c.reference()), sink);
    assertThat(sink.keys()).isEqualTo(c.controllers());
    sink.added.clear();
    EventHandler.<ConfigMap>everyOwner(FOO, () -> foos).handle(added(c.reference()), sink);
    assertThat(sink.keys()).isEqualTo(c.every());
  }

  @Test
  void requestsEveryOwner() {
    OwnerReference second = ownedBy("b").withController(false).build();
    EventHandler.<ConfigMap>everyOwner(FOO, () -> foos)
        .handle(added(ownedBy("a").build(), second), sink);
    assertThat(sink.keys()).containsExactly("default/a", "default/b");
  }

  /** Forty bad inputs, 24: each event leads one step up, so a circle has no end to look for. */
  @Test
  void takesOneStepInACircleOfOwners() {
    foos.put(foo("a", "b"));
    foos.put(foo("b", "a"));
    EventHandler.<Foo>everyOwner(FOO, () -> foos)
        .handle(new ResourceEvent.Added<>(foo("a", "b"), false), sink);
    assertThat(sink.keys()).containsExactly("default/b");
  }

  private static CachedObject<Foo> foo(String name, String owner) {
    Foo foo = cachedFoo(name).decode();
    foo.getMetadata().setOwnerReferences(List.of(ownedBy(owner).build()));
    return ObjectCodec.of(Foo.class).encode(foo);
  }

  /** An owner that has lost the object must be reconciled, too. */
  @Test
  void requestsTheOldAndTheNewOwner() {
    CachedObject<ConfigMap> old = cachedConfigMap("owned", 1, ownedBy("a").build());
    CachedObject<ConfigMap> now = cachedConfigMap("owned", 2, ownedBy("b").build());
    EventHandler.<ConfigMap>owner(FOO, () -> foos)
        .handle(new ResourceEvent.Updated<>(old, now), sink);
    assertThat(sink.keys()).containsExactly("default/a", "default/b");
  }

  /** The controller stays the same; what changes is an owner beside it. */
  @Test
  void requestsAnOwnerThatIsNoControllerAndHasLostTheObject() {
    OwnerReference plain = ownedBy("b").withController(false).build();
    CachedObject<ConfigMap> old = cachedConfigMap("owned", 1, ownedBy("a").build(), plain);
    CachedObject<ConfigMap> now = cachedConfigMap("owned", 2, ownedBy("a").build());
    EventHandler.<ConfigMap>everyOwner(FOO, () -> foos)
        .handle(new ResourceEvent.Updated<>(old, now), sink);
    assertThat(sink.keys()).contains("default/a", "default/b");
  }

  /** With its last known state, whether or not the deletion was seen. */
  @Test
  void requestsTheOwnerOfWhatIsGone() {
    CachedObject<ConfigMap> last = cachedConfigMap("owned", 1, ownedBy("a").build());
    EventHandler.<ConfigMap>owner(FOO, () -> foos)
        .handle(new ResourceEvent.Deleted<>(last, true), sink);
    assertThat(sink.keys()).containsExactly("default/a");
  }

  /** Then it can create one of its own: until then, its reconciles have failed. */
  @Test
  void requestsTheReplacementWhenAnObjectOfThePredecessorIsGone() {
    CachedObject<ConfigMap> old = cachedConfigMap("owned", 1, ownedBy("a").withUid("old").build());
    EventHandler.<ConfigMap>owner(FOO, () -> foos)
        .handle(new ResourceEvent.Deleted<>(old, false), sink);
    assertThat(sink.keys()).containsExactly("default/a");
  }

  /** A cluster-scoped owner of a namespaced object. */
  @Test
  void requestsAnOwnerThatIsClusterScoped() {
    Store<ClusterRole> roles = Store.create();
    roles.put(
        ObjectCodec.of(ClusterRole.class)
            .encode(
                new ClusterRoleBuilder()
                    .withNewMetadata()
                    .withName("role")
                    .withUid("role-uid")
                    .endMetadata()
                    .build()));
    OwnerReference reference =
        ownedBy("role")
            .withApiVersion("rbac.authorization.k8s.io/v1")
            .withKind("ClusterRole")
            .build();
    EventHandler.<ConfigMap>owner(ResourceType.of(ClusterRole.class), () -> roles)
        .handle(added(reference), sink);
    assertThat(sink.keys()).containsExactly("role");
  }

  /** The texts of sample-controller, for those who debug. */
  @Test
  void logsWhatItDoes() {
    try (Logs logs = Logs.of(EventHandler.class)) {
      EventHandler.<ConfigMap>owner(FOO, () -> foos)
          .handle(added(ownedBy("a").withUid("old").build()), sink);
      assertThat(logs.lines())
          .containsExactly(
              "DEBUG Processing object: default/owned",
              "DEBUG ignoring orphaned object 'default/owned' of foo 'a'");
    }
  }

  /** An object has only one controller: the first owner reference marked as such. */
  @Test
  void requestsTheFirstControllerOnly() {
    OwnerReference first = ownedBy("a").build();
    OwnerReference second = ownedBy("b").build();
    OwnerReference foreign = ownedBy("x").withKind("Bar").build();
    EventHandler.<ConfigMap>owner(FOO, () -> foos).handle(added(first, second), sink);
    assertThat(sink.keys()).containsExactly("default/a");
    EventHandler.<ConfigMap>owner(FOO, () -> foos).handle(added(foreign, second), sink);
    assertThat(sink.keys()).containsExactly("default/a");
  }

  /** The usual update: nobody asks twice who the owner is. */
  @Test
  void requestsAnOwnerThatStaysOnce() {
    CachedObject<ConfigMap> old = cachedConfigMap("owned", 1, ownedBy("a").build());
    CachedObject<ConfigMap> now = cachedConfigMap("owned", 2, ownedBy("a").build());
    EventHandler.<ConfigMap>owner(FOO, () -> foos)
        .handle(new ResourceEvent.Updated<>(old, now), sink);
    assertThat(sink.keys()).containsExactly("default/a");
  }

  /** The owner may appear later by an addition that its own predicates reject. */
  @Test
  void asksEachTimeWhichOwnersThereAre() {
    EventHandler<ConfigMap> handler = EventHandler.owner(FOO, () -> foos);
    handler.handle(added(ownedBy("late").build()), sink);
    assertThat(sink.keys()).containsExactly("default/late");
    foos.put(cachedFoo("late", "successor", 1, 1));
    handler.handle(added(ownedBy("late").build()), sink);
    assertThat(sink.keys()).as("not for the successor").hasSize(1);
  }

  /** It decides by metadata, which is there whatever the content is like. */
  @Test
  void decodesNothing() {
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
    CachedObject<ConfigMap> owned =
        codec.encode(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("owned")
                .withOwnerReferences(ownedBy("a").build())
                .endMetadata()
                .build());
    EventHandler.<ConfigMap>owner(FOO, () -> foos)
        .handle(new ResourceEvent.Added<>(owned, false), sink);
    assertThat(sink.keys()).containsExactly("default/a");
    assertThat(codec.decoded()).isZero();
  }
}
