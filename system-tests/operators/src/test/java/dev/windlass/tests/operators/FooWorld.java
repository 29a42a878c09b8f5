// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.editStatus;
import static dev.windlass.cli.testsupport.Edits.isAnother;
import static dev.windlass.testsupport.Patience.eventually;

import dev.windlass.examples.foo.Foo;
import dev.windlass.examples.foo.FooEntry;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Foos and their Deployments in one namespace, as the server has them. */
record FooWorld(KubernetesClient kubectl, String namespace) {

  /** A Foo whose Deployment has the same name; of one replica. */
  Foo create(String name) {
    Foo foo = FooEntry.example(namespace);
    foo.getMetadata().setName(name);
    foo.getSpec().setDeploymentName(name);
    return kubectl.resource(foo).create();
  }

  Resource<Foo> foo(String name) {
    return kubectl.resources(Foo.class).inNamespace(namespace).withName(name);
  }

  @Nullable Deployment deployment(String name) {
    return deploymentOf(name).get();
  }

  Resource<Deployment> deploymentOf(String name) {
    return kubectl.apps().deployments().inNamespace(namespace).withName(name);
  }

  Deployment awaitDeployment(String name) {
    eventually().until(() -> deployment(name) != null);
    return Objects.requireNonNull(deployment(name));
  }

  Deployment awaitAnother(Deployment before) {
    String name = before.getMetadata().getName();
    eventually().until(() -> isAnother(deployment(name), before));
    return Objects.requireNonNull(deployment(name));
  }

  void awaitReplicas(String name, int replicas) {
    eventually().until(() -> awaitDeployment(name).getSpec().getReplicas() == replicas);
  }

  /** As the Deployment controller and a kubelet would report it. */
  void makeAvailable(String name, int replicas) {
    editStatus(
        deploymentOf(name),
        deployment ->
            deployment.setStatus(
                new DeploymentStatusBuilder()
                    .withReplicas(replicas)
                    .withReadyReplicas(replicas)
                    .withAvailableReplicas(replicas)
                    .build()));
  }

  /** Waits until the Foo says so. */
  void awaitAvailable(String name, int replicas) {
    eventually().until(() -> foo(name).require().getStatus().getAvailableReplicas() == replicas);
  }

  /** A Deployment that somebody else made. */
  Deployment createForeign(String name) {
    return kubectl.resource(FooEntry.foreignDeployment(namespace, name)).create();
  }
}
