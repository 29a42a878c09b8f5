// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectSerialization;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ObjectSnapshotTest {

  private final Pod pod =
      new PodBuilder()
          .withNewMetadata()
          .withName("pod")
          .withResourceVersion("7")
          .addToLabels("a", "1")
          .addToFinalizers("example.com/one")
          .endMetadata()
          .withNewSpec()
          .withNodeName("node")
          .endSpec()
          .withNewStatus()
          .withPhase("Running")
          .endStatus()
          .build();
  private final ObjectSnapshot before = ObjectSnapshot.of(ObjectSerialization.DEFAULT, pod);

  @Test
  void findsNothingIfNothingWasChanged() {
    assertThat(before.changeTo(pod).isEmpty()).isTrue();
    pod.getMetadata().setResourceVersion("8");
    assertThat(before.changeTo(pod).isEmpty()).as("the server's own").isTrue();
  }

  @Test
  void tellsTheContentFromTheStatus() {
    pod.getMetadata().setLabels(Map.of("b", "2"));
    pod.getStatus().setPhase("Failed");
    ObjectSnapshot.Change change = before.changeTo(pod);
    assertThat(change.content()).isEqualTo("{\"metadata\":{\"labels\":{\"a\":null,\"b\":\"2\"}}}");
    assertThat(change.status()).isEqualTo("{\"status\":{\"phase\":\"Failed\"}}");
    assertThat(change.isEmpty()).isFalse();
  }

  @Test
  void knowsEachAlone() {
    pod.getStatus().setPhase("Failed");
    assertThat(before.changeTo(pod).content()).isEmpty();
    pod.getStatus().setPhase("Running");
    pod.getSpec().setNodeName("other");
    assertThat(before.changeTo(pod).status()).isEmpty();
    assertThat(before.changeTo(pod).isEmpty()).isFalse();
  }

  /** Lists are replaced as a whole: without the version, an entry of somebody else would go. */
  @Test
  void bindsAPatchWithAListToTheVersion() {
    pod.getMetadata().setFinalizers(List.of("example.com/one", "example.com/two"));
    pod.getStatus().setConditions(List.of());
    assertThat(before.changeTo(pod).content())
        .isEqualTo(
            "{\"metadata\":{\"finalizers\":[\"example.com/one\",\"example.com/two\"],"
                + "\"resourceVersion\":\"7\"}}");
  }

  /** Another object may have taken its name. */
  @Test
  void bindsAPatchToTheUid() {
    pod.getMetadata().setUid("u-1");
    ObjectSnapshot known = ObjectSnapshot.of(ObjectSerialization.DEFAULT, pod);
    pod.getMetadata().setLabels(Map.of("a", "2"));
    pod.getStatus().setPhase("Failed");
    assertThat(known.changeTo(pod).content())
        .isEqualTo("{\"metadata\":{\"labels\":{\"a\":\"2\"},\"uid\":\"u-1\"}}");
    assertThat(known.changeTo(pod).status()).endsWith("\"metadata\":{\"uid\":\"u-1\"}}");
  }

  @Test
  void bindsNothingToAVersionThatIsNotKnown() {
    pod.getMetadata().setResourceVersion(null);
    ObjectSnapshot unknown = ObjectSnapshot.of(ObjectSerialization.DEFAULT, pod);
    pod.getMetadata().setFinalizers(List.of("example.com/two"));
    assertThat(unknown.changeTo(pod).content()).doesNotContain("resourceVersion");
  }

  /** The server stores 1 for 1000m. */
  @Test
  void comparesQuantitiesInTheNotationOfTheServer() {
    pod.getSpec()
        .setContainers(
            List.of(new ContainerBuilder().withName("c").withResources(cpu("1")).build()));
    ObjectSnapshot stored = ObjectSnapshot.of(ObjectSerialization.DEFAULT, pod);
    pod.getSpec().getContainers().get(0).setResources(cpu("1000m"));
    assertThat(stored.changeTo(pod).isEmpty()).isTrue();
    pod.getSpec().getContainers().get(0).setResources(cpu("2000m"));
    assertThat(stored.changeTo(pod).content()).contains("\"cpu\":\"2\"");
  }

  private static ResourceRequirements cpu(String amount) {
    return new ResourceRequirementsBuilder().addToRequests("cpu", new Quantity(amount)).build();
  }
}
