// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.testing.simulation.Simulation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Somebody other than the operator, who acts on each object of a type, some time after its
 * creation.
 *
 * @param <T> the type of the objects
 */
final class OtherActor<T extends HasMetadata> {

  private final Simulation simulation;
  private final Class<T> type;
  private final Duration delay;
  private final Consumer<? super Resource<T>> action;

  /** The uids of the objects for which the action has been scheduled. */
  private final Set<String> seen = new HashSet<>();

  OtherActor(
      Simulation simulation, Class<T> type, Duration delay, Consumer<? super Resource<T>> action) {
    this.simulation = simulation;
    this.type = type;
    this.delay = delay;
    this.action = action;
  }

  /** Schedules the action for each object that has been created since the last call. */
  void look() {
    for (T object :
        simulation.kubernetesClient().resources(type).inAnyNamespace().list().getItems()) {
      ObjectMeta created = object.getMetadata();
      if (seen.add(created.getUid())) {
        simulation.schedule(() -> act(created), delay);
      }
    }
  }

  private void act(ObjectMeta created) {
    String namespace = Objects.requireNonNullElse(created.getNamespace(), "");
    Resource<T> resource =
        simulation
            .kubernetesClient()
            .resources(type)
            .inNamespace(namespace)
            .withName(created.getName());
    T now = resource.get();
    if (now != null && now.getMetadata().getUid().equals(created.getUid())) {
      action.accept(resource);
    }
  }
}
