// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.testsupport.Patience.eventually;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The files that users apply with kubectl, for tests and the demo. */
final class FooArtifacts {

  private FooArtifacts() {}

  /** The CRD with the status subresource, as the build makes it. */
  static CustomResourceDefinition crd() {
    return read("crd-status-subresource.yaml", CustomResourceDefinition.class);
  }

  /**
   * Removes the CRD with its Foos from a server, and the Deployments, which no garbage collector
   * deletes.
   */
  static void uninstall(KubernetesClient kubectl) {
    var crd =
        kubectl
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName(crd().getMetadata().getName());
    crd.delete();
    eventually().until(() -> crd.get() == null);
    kubectl.apps().deployments().inNamespace("default").delete();
  }

  /** The Foo of {@code example-foo.yaml}. */
  static Foo exampleFoo(String namespace) {
    Foo foo = read("example-foo.yaml", Foo.class);
    foo.getMetadata().setNamespace(namespace);
    return foo;
  }

  /** A Deployment that no Foo controls. */
  static Deployment foreignDeployment(String namespace, String name) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withReplicas(7)
        .withNewSelector()
        .addToMatchLabels("a", "b")
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("a", "b")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .withImage("i")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** A file of those that users apply, by its name. */
  static <T> T read(String file, Class<T> type) {
    return readAbsolute("/artifacts/examples/" + file, type);
  }

  /** A file of the jar, by its path. */
  static <T> T readAbsolute(String path, Class<T> type) {
    try (InputStream in = FooArtifacts.class.getResourceAsStream(path)) {
      return Serialization.unmarshal(in, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
