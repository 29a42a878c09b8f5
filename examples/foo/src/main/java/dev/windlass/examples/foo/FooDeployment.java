// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Map;

/** Builds the Deployment of a Foo. */
public final class FooDeployment {

  private FooDeployment() {}

  /**
   * Returns whether a Foo controls an object. This method compares UIDs, so a Foo that was deleted
   * and created again does not control the objects of its predecessor.
   */
  public static boolean isControlledBy(HasMetadata object, Foo foo) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            owner ->
                Boolean.TRUE.equals(owner.getController())
                    && foo.getMetadata().getUid().equals(owner.getUid()));
  }

  /** Returns the Deployment that a Foo requests. This method does not send it to the API server. */
  public static Deployment of(Foo foo, String name) {
    Map<String, String> labels = Map.of("app", "nginx", "controller", foo.getMetadata().getName());
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(foo.getMetadata().getNamespace())
        .addNewOwnerReference()
        .withApiVersion(foo.getApiVersion())
        .withKind(foo.getKind())
        .withName(foo.getMetadata().getName())
        .withUid(foo.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withReplicas(foo.getSpec().getReplicas())
        .withNewSelector()
        .withMatchLabels(labels)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("nginx")
        .withImage("nginx:latest")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
