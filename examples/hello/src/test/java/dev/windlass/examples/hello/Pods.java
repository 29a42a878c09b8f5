// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.cli.testsupport.Edits;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import org.jspecify.annotations.Nullable;

/** Does to Pods what a kubelet does, on servers that have none. */
final class Pods {

  private static final String FINALIZER = "tests.windlass.dev/linger";

  private Pods() {}

  /** The container has ended. */
  static void end(KubernetesClient kubectl, String namespace, String name, HelloPhase phase) {
    Edits.editStatus(
        pod(kubectl, namespace, name), pod -> pod.getStatus().setPhase(phase.toString()));
  }

  /** From now on the Pod, when it is deleted, does not go. */
  static void hold(KubernetesClient kubectl, String namespace, String name) {
    Edits.edit(
        pod(kubectl, namespace, name), pod -> pod.getMetadata().getFinalizers().add(FINALIZER));
  }

  /** It goes. */
  static void release(KubernetesClient kubectl, String namespace, String name) {
    Edits.edit(
        pod(kubectl, namespace, name), pod -> pod.getMetadata().getFinalizers().remove(FINALIZER));
  }

  static @Nullable Pod get(KubernetesClient kubectl, String namespace, String name) {
    return pod(kubectl, namespace, name).get();
  }

  private static PodResource pod(KubernetesClient kubectl, String namespace, String name) {
    return kubectl.pods().inNamespace(namespace).withName(name);
  }
}
