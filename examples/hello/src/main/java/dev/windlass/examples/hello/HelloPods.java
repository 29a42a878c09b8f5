// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Optional;

/**
 * Creates, reads and deletes the Pods of Hellos. Each Pod has the same name as its Hello, so a new
 * Pod has the name of the Pod that it replaces. The creation of a Pod fails if the previous Pod is
 * still terminating, or if a Pod with another owner has this name.
 */
final class HelloPods {

  private final Client client;

  HelloPods(Client client) {
    this.client = client;
  }

  /** Returns the Pod that a Hello requests, without an owner reference. */
  static Pod wanted(Hello hello) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(hello.getMetadata().getNamespace())
        .withName(hello.getMetadata().getName())
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy("OnFailure")
        .addNewContainer()
        .withName("ubuntu")
        .withImage("ubuntu")
        .withCommand(
            "/bin/sh",
            "-c",
            "seq %d | xargs -I{} echo \"Hello\"".formatted(hello.getSpec().getHelloTimes()))
        .endContainer()
        .endSpec()
        .build();
  }

  /** Returns the Pod with the name of a Hello from the cache, regardless of its owner. */
  Optional<Pod> find(Hello hello) {
    return client.get(Pod.class, ObjectKey.of(hello));
  }

  /**
   * Creates a Pod. If an earlier reconcile created the Pod but failed to record the creation, this
   * method does nothing.
   *
   * @throws AlreadyExistsException if another Pod, or a Pod that is terminating, has the same name
   */
  void start(Hello hello, Pod pod) {
    try {
      client.create(pod);
    } catch (AlreadyExistsException e) {
      // The cache may not contain the existing Pod yet, so this method reads from the server.
      Optional<Pod> there = client.uncached().get(Pod.class, ObjectKey.of(hello));
      if (there.filter(found -> isOf(hello, found) && !isEnding(found)).isEmpty()) {
        throw e;
      }
    }
  }

  /**
   * Deletes the Pod of a Hello, unless the Pod is already being deleted. This method does not
   * delete a Pod with the same name that the Hello does not control.
   */
  void delete(Hello hello) {
    Optional<Pod> mine = find(hello).filter(pod -> isOf(hello, pod) && !isEnding(pod));
    if (mine.isPresent()) {
      client.delete(
          Pod.class,
          ObjectKey.of(hello),
          DeleteParams.DEFAULT.withUid(mine.get().getMetadata().getUid()));
    }
  }

  /**
   * Returns whether a Hello controls a Pod. This method compares UIDs, so a Hello that was deleted
   * and created again does not control the Pod of its predecessor.
   */
  static boolean isOf(Hello hello, Pod pod) {
    return OwnerReferences.isControlledBy(pod, hello);
  }

  /** Returns whether a Pod is being deleted, that is, whether it has a deletion timestamp. */
  static boolean isEnding(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /**
   * Returns the phase of a Hello whose Pod has finished, or an empty result if the Pod has not
   * finished.
   */
  static Optional<HelloPhase> outcome(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return HelloPhase.of(phase)
        .filter(end -> end == HelloPhase.SUCCEEDED || end == HelloPhase.FAILED);
  }
}
