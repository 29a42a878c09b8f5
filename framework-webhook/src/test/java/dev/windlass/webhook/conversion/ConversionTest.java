// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.junit.jupiter.api.Test;

final class ConversionTest {

  @Group("example.com")
  @Kind("Hammer")
  @Version("v1")
  @SuppressWarnings("serial")
  static final class OtherKind extends CustomResource<Void, Void> implements Namespaced {}

  @Group("example.org")
  @Kind("Tool")
  @Version("v1")
  @SuppressWarnings("serial")
  static final class OtherGroup extends CustomResource<Void, Void> implements Namespaced {}

  @Group("example.com")
  @Kind("Tool")
  @Plural("tools")
  @Version("v1")
  @SuppressWarnings("serial")
  static final class OtherScope extends CustomResource<Void, Void> {}

  @Group("example.com")
  @Kind("Tool")
  @Plural("tools")
  @Version("v2")
  @SuppressWarnings("serial")
  static final class HubVersionAgain extends CustomResource<Void, Void> implements Namespaced {}

  @SuppressWarnings("serial")
  static final class WithoutAnnotations extends CustomResource<Void, Void> {}

  private static final Conversion<ToolV2> HUB = Conversion.hub(ToolV2.class);

  @Test
  void listsItsVersionsWithTheHubFirst() {
    assertThat(ToolVersions.CONVERSION).hasToString("Tool.example.com (v2, v1, v2beta1)");
    assertThat(ToolVersions.CONVERSION.versions().values())
        .containsExactly(ToolV2.class, ToolV1.class, ToolV2beta1.class);
    assertThat(ToolVersions.CONVERSION.spokes()).hasSize(1);
    assertThat(ToolVersions.CONVERSION.keepsLostFields()).isFalse();
    assertThat(ToolVersions.CONVERSION.keepingLostFields().keepsLostFields()).isTrue();
  }

  @Test
  void rejectsVersionsOfAnotherType() {
    assertThatThrownBy(() -> HUB.sameSchema(OtherKind.class))
        .hasMessageContaining("the kind of " + ToolV2.class.getName() + " is Tool")
        .hasMessageContaining("OtherKind is Hammer");
    assertThatThrownBy(() -> HUB.sameSchema(OtherGroup.class))
        .hasMessageContaining("the group of " + ToolV2.class.getName() + " is example.com")
        .hasMessageContaining("OtherGroup is example.org");
    assertThatThrownBy(() -> HUB.sameSchema(OtherScope.class))
        .hasMessageContaining("is Namespaced")
        .hasMessageContaining("OtherScope is Cluster");
  }

  @Test
  void rejectsAVersionThatIsDeclaredTwice() {
    assertThatThrownBy(() -> ToolVersions.CONVERSION.sameSchema(ToolV1.class))
        .hasMessageContaining(
            "the version v1 of Tool is declared twice: by " + ToolV1.class.getName());
    assertThatThrownBy(() -> HUB.sameSchema(HubVersionAgain.class))
        .hasMessageContaining("the version v2 of Tool is declared twice");
  }

  @Test
  void rejectsTheHubAsASpoke() {
    assertThatThrownBy(() -> HUB.sameSchema(ToolV2.class))
        .hasMessageContaining("ToolV2 is the hub, and can't be one of its spokes");
  }

  @Test
  void rejectsClassesThatAreNotCustomResources() {
    assertThatThrownBy(() -> Conversion.hub(Pod.class)).hasMessageContaining("core group");
    assertThatThrownBy(() -> Conversion.hub(WithoutAnnotations.class))
        .hasMessageContaining("annotate it with @Group and @Version");
  }

  @Test
  void rejectsMissingFunctions() {
    assertThatThrownBy(() -> HUB.spoke(ToolV1.class, null, ToolVersions::toV1))
        .hasMessageContaining("the function from a spoke to the hub is null");
    assertThatThrownBy(() -> HUB.spoke(ToolV1.class, ToolVersions::fromV1, null))
        .hasMessageContaining("the function from the hub to a spoke is null");
  }
}
