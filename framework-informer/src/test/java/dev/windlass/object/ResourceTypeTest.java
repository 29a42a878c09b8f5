// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.junit.jupiter.api.Test;

final class ResourceTypeTest {

  @Group("samplecontroller.k8s.io")
  @Version("v1alpha1")
  @Plural("foos")
  static final class Foo extends CustomResource<Void, Void> implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void isReadFromAModelClass() {
    assertThat(ResourceType.of(Deployment.class))
        .isEqualTo(new ResourceType("apps", "v1", "deployments", "Deployment", true))
        .hasToString("deployments.apps/v1");
    assertThat(ResourceType.of(Pod.class))
        .isEqualTo(new ResourceType("", "v1", "pods", "Pod", true))
        .hasToString("pods/v1");
    assertThat(ResourceType.of(Node.class).namespaced()).isFalse();
    assertThat(ResourceType.of(Foo.class))
        .isEqualTo(new ResourceType("samplecontroller.k8s.io", "v1alpha1", "foos", "Foo", true));
  }

  @Test
  void namesItsVersionAndItsResourceAsTheServerDoes() {
    assertThat(ResourceType.of(Deployment.class).apiVersion()).isEqualTo("apps/v1");
    assertThat(ResourceType.of(Pod.class).apiVersion()).isEqualTo("v1");
    assertThat(ResourceType.of(Foo.class).resource()).isEqualTo("foos.samplecontroller.k8s.io");
    assertThat(ResourceType.of(Pod.class).resource()).isEqualTo("pods");
  }

  /** A namespace restricts the path; a cluster-scoped type has none. */
  @Test
  void knowsThePathOfItsCollection() {
    assertThat(ResourceType.of(Pod.class).path("")).isEqualTo("api/v1/pods");
    assertThat(ResourceType.of(Pod.class).path("n")).isEqualTo("api/v1/namespaces/n/pods");
    assertThat(ResourceType.of(Deployment.class).path("n"))
        .isEqualTo("apis/apps/v1/namespaces/n/deployments");
    assertThat(ResourceType.of(Node.class).path("n")).isEqualTo("api/v1/nodes");
  }

  private static final class NoType extends CustomResource<Void, Void> {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void refusesAClassThatDoesNotSayEnoughAndNamesIt() {
    assertThatThrownBy(() -> ResourceType.of(NoType.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(NoType.class.getName() + " does not declare its API resource");
  }

  /** Nobody can annotate it. */
  @Test
  void saysHowToNameATypeWithoutAClass() {
    assertThatThrownBy(() -> ResourceType.of(GenericKubernetesResource.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "GenericKubernetesResource stands for objects of any type: instead of the class, pass"
                + " InformerSpec.of(ResourceType) to controllers and caches, and the ResourceType to"
                + " clients");
  }
}
