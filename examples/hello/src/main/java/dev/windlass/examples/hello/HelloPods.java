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
 * The Pods of Hellos. Each has the name of its Hello, so the next Pod has the name of the last, and
 * whoever creates one may meet another that is still ending, or one of somebody else.
 */
final class HelloPods {

  private final Client client;

  HelloPods(Client client) {
    this.client = client;
  }

  /** The Pod that a Hello asks for, as it is before it has an owner. */
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

  /** The Pod of that name, whoever made it, as the cache knows it. */
  Optional<Pod> find(Hello hello) {
    return client.get(Pod.class, ObjectKey.of(hello));
  }

  /**
   * Creates a Pod, unless an earlier run has, and could not write down that it did.
   *
   * @throws AlreadyExistsException if another Pod has the name, or one that is ending
   */
  void start(Hello hello, Pod pod) {
    try {
      client.create(pod);
    } catch (AlreadyExistsException e) {
      // Not by what the cache says: it may not know the one that is in the way.
      Optional<Pod> there = client.uncached().get(Pod.class, ObjectKey.of(hello));
      if (there.filter(found -> isOf(hello, found) && !isEnding(found)).isEmpty()) {
        throw e;
      }
    }
  }

  /** Deletes the Pod of a Hello, and no other of that name; one that is gone already will do. */
  void delete(Hello hello) {
    Optional<Pod> mine = find(hello).filter(pod -> isOf(hello, pod) && !isEnding(pod));
    if (mine.isPresent()) {
      client.delete(
          Pod.class,
          ObjectKey.of(hello),
          DeleteParams.DEFAULT.withUid(mine.get().getMetadata().getUid()));
    }
  }

  /** By uid: a Hello that was created again does not own the Pod of the one before. */
  static boolean isOf(Hello hello, Pod pod) {
    return OwnerReferences.isControlledBy(pod, hello);
  }

  /** Whether it was deleted and is not gone yet. */
  static boolean isEnding(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /** What the end of a Pod means for its Hello; empty as long as it has not ended. */
  static Optional<HelloPhase> outcome(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return HelloPhase.of(phase)
        .filter(end -> end == HelloPhase.SUCCEEDED || end == HelloPhase.FAILED);
  }
}
