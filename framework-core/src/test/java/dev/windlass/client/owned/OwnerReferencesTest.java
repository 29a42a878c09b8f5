// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ObjectKey;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class OwnerReferencesTest {

  private final Foo foo = Samples.foo("example");
  private final ConfigMap child = child("default");

  private static ConfigMap child(@Nullable String namespace) {
    return Samples.configMap(namespace, "child");
  }

  private static ClusterRole role(@Nullable String uid) {
    return new ClusterRoleBuilder()
        .withNewMetadata()
        .withName("role")
        .withUid(uid)
        .endMetadata()
        .build();
  }

  private List<OwnerReference> owners() {
    return child.getMetadata().getOwnerReferences();
  }

  /** As other libraries leave an object that Windlass takes over. */
  @Test
  void namesTheRemedyForAnOwnerThatIsNotTheController() {
    OwnerReference wanted = OwnerReferences.controller(foo);
    assertThatThrownBy(() -> OwnerReferences.requireController(child, wanted))
        .isExactlyInstanceOf(NotControlledException.class)
        .hasMessageContaining("does not belong to Foo example");
    OwnerReferences.setOwner(child, foo);
    assertThatThrownBy(() -> OwnerReferences.requireController(child, wanted))
        .isExactlyInstanceOf(NotControlledException.class)
        .hasMessageContaining("is its owner, but without controller: true")
        .hasMessageContaining("Owned.adopt")
        .hasMessageNotContaining("elete");
  }

  @Test
  void makesTheOwnerTheController() {
    OwnerReferences.setController(child, foo);
    assertThat(owners())
        .containsExactly(
            new OwnerReferenceBuilder()
                .withApiVersion("samplecontroller.k8s.io/v1alpha1")
                .withKind("Foo")
                .withName("example")
                .withUid("example-uid")
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build());
    assertThat(OwnerReferences.controllerOf(child)).contains(owners().get(0));
    assertThat(OwnerReferences.isControlledBy(child, foo)).isTrue();
    assertThat(OwnerReferences.isOwnedBy(child, foo)).isTrue();
  }

  @Test
  void needsNoNameThatTheServerWillGenerate() {
    child.getMetadata().setName(null);
    child.getMetadata().setGenerateName("child-");
    OwnerReferences.setController(child, foo);
    assertThat(OwnerReferences.isControlledBy(child, foo)).isTrue();
    assertThatThrownBy(() -> OwnerReferences.setController(child, Samples.foo("other")))
        .isInstanceOf(AlreadyOwnedException.class)
        .hasMessageStartingWith("ConfigMap default/child-* can't be controlled by ");
  }

  @Test
  void setsTheSameOwnerOnce() {
    OwnerReferences.setController(child, foo);
    List<OwnerReference> once = List.copyOf(owners());
    OwnerReferences.setController(child, foo);
    OwnerReferences.setOwner(child, foo);
    assertThat(owners()).as("still the controller").isEqualTo(once);
  }

  /** Whatever is set afterwards: an explicit wish is kept. */
  @Test
  void leavesAnOwnerFreeToGo() {
    OwnerReferences.setOwner(child, foo);
    OwnerReferences.unblock(child, foo);
    OwnerReferences.setController(child, foo);
    assertThat(owners()).extracting(OwnerReference::getBlockOwnerDeletion).containsExactly(false);
    assertThat(OwnerReferences.isControlledBy(child, foo)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.unblock(child, role("1")))
        .withMessage(
            "ClusterRole role does not own ConfigMap default/child: call setController or setOwner"
                + " first");
  }

  @Test
  void makesAnOwnerTheControllerLater() {
    OwnerReferences.setOwner(child, role("1"));
    OwnerReferences.setOwner(child, foo);
    assertThat(OwnerReferences.controllerOf(child)).isEmpty();
    assertThat(OwnerReferences.isControlledBy(child, foo)).isFalse();
    assertThat(OwnerReferences.isOwnedBy(child, foo)).isTrue();
    OwnerReferences.setController(child, foo);
    assertThat(owners()).extracting(OwnerReference::getKind).containsExactly("ClusterRole", "Foo");
    assertThat(OwnerReferences.controllerOf(child)).contains(owners().get(1));
    assertThat(owners()).allMatch(OwnerReference::getBlockOwnerDeletion);
  }

  /** The version of the API may change while the owner stays the same. */
  @Test
  void recognisesAnOwnerByGroupKindNameAndUid() {
    OwnerReferences.setController(child, foo);
    owners().get(0).setApiVersion("samplecontroller.k8s.io/v1beta1");
    assertThat(OwnerReferences.isControlledBy(child, foo)).isTrue();
    OwnerReferences.setController(child, foo);
    assertThat(owners())
        .singleElement()
        .extracting(OwnerReference::getApiVersion)
        .isEqualTo("samplecontroller.k8s.io/v1alpha1");
  }

  private record Other(String what, Consumer<OwnerReference> change) {}

  static Stream<Other> others() {
    return Stream.of(
        new Other("group", reference -> reference.setApiVersion("other.io/v1alpha1")),
        new Other("no group", reference -> reference.setApiVersion("v1")),
        new Other("kind", reference -> reference.setKind("Bar")),
        new Other("name", reference -> reference.setName("other")),
        new Other("uid", reference -> reference.setUid("other-uid")));
  }

  @ParameterizedTest
  @MethodSource("others")
  void takesAnyOtherForAnotherOwner(Other c) {
    OwnerReferences.setController(child, foo);
    c.change().accept(owners().get(0));
    assertThat(OwnerReferences.isControlledBy(child, foo)).isFalse();
    assertThat(OwnerReferences.isOwnedBy(child, foo)).isFalse();
    assertThat(OwnerReferences.remove(child, foo)).isFalse();
    assertThatThrownBy(() -> OwnerReferences.setController(child, foo))
        .isInstanceOf(AlreadyOwnedException.class);
    assertThat(owners()).hasSize(1);
    OwnerReferences.setOwner(child, foo);
    assertThat(owners()).hasSize(2);
  }

  @Test
  void refusesASecondController() {
    OwnerReferences.setController(child, foo);
    assertThatThrownBy(() -> OwnerReferences.setController(child, Samples.foo("second")))
        .isInstanceOfSatisfying(
            AlreadyOwnedException.class,
            e -> assertThat(e.object()).isEqualTo(ObjectKey.of("default", "child")))
        .hasMessage(
            "ConfigMap default/child can't be controlled by Foo second (uid second-uid),"
                + " because Foo example (uid example-uid) controls it already. Choose another name,"
                + " or make the other controller release it");
  }

  /** By name alone it would take over what the garbage collector is about to delete. */
  @Test
  void refusesToInheritFromAnEarlierOwnerOfTheName() {
    OwnerReferences.setController(child, foo);
    Foo again = Samples.foo("example");
    again.getMetadata().setUid("another-uid");
    assertThatThrownBy(() -> OwnerReferences.setController(child, again))
        .isInstanceOf(AlreadyOwnedException.class)
        .hasMessageContaining("an earlier object of the same name");
  }

  @Test
  void removesOneOwnerOnly() {
    OwnerReferences.setOwner(child, role("1"));
    OwnerReferences.setController(child, foo);
    assertThat(OwnerReferences.remove(child, foo)).isTrue();
    assertThat(owners()).extracting(OwnerReference::getKind).containsExactly("ClusterRole");
    assertThat(OwnerReferences.remove(child, foo)).isFalse();
  }

  @Test
  void refusesAnOwnerInAnotherNamespace() {
    ConfigMap elsewhere = child("elsewhere");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setController(elsewhere, foo))
        .withMessageStartingWith("Foo default/example can't own ConfigMap elsewhere/child: ")
        .withMessageContaining("must be in the namespace of the objects that it owns");
    assertThatIllegalArgumentException().isThrownBy(() -> OwnerReferences.setOwner(elsewhere, foo));
    assertThat(elsewhere.getMetadata().getOwnerReferences()).isEmpty();
  }

  @Test
  void refusesAnOwnerInANamespaceForAnObjectInNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setController(role("1"), foo))
        .withMessageStartingWith("Foo default/example can't own ClusterRole role: ")
        .withMessageContaining("delete it in a finalizer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setController(child(null), foo))
        .withMessageContaining("Set metadata.namespace first");
  }

  /** The API server removes the namespace, and would never delete the object with its owner. */
  @Test
  void ignoresTheNamespaceOfAnObjectThatCanHaveNone() {
    ClusterRole role = role("1");
    role.getMetadata().setNamespace("default");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setController(role, foo))
        .withMessageContaining("a cluster-scoped object can't have a namespaced owner");
    assertThatIllegalArgumentException().isThrownBy(() -> OwnerReferences.setOwner(role, foo));
    ConfigMap elsewhere = child("elsewhere");
    OwnerReferences.setController(elsewhere, role);
    assertThat(OwnerReferences.isControlledBy(elsewhere, role)).isTrue();
  }

  @Test
  void takesAnOwnerWithoutANamespaceForAnyObject() {
    OwnerReferences.setController(child, role("1"));
    assertThat(OwnerReferences.isControlledBy(child, role("1"))).isTrue();
    ClusterRole owned = role("2");
    OwnerReferences.setController(owned, role("1"));
    assertThat(OwnerReferences.isControlledBy(owned, role("1"))).isTrue();
  }

  @Test
  void refusesAnOwnerThatWasNeverOnTheServer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setController(child, role(null)))
        .withMessageContaining("ClusterRole role (uid null) lacks one of them");
  }
}
