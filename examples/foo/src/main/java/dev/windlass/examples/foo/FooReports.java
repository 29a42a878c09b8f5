// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Conditions;
import dev.windlass.events.EventRecorder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.ArrayList;

/** Reports the state of a Foo in its status and with Events. */
final class FooReports {

  private final EventRecorder recorder;
  private final Clock clock;

  FooReports(EventRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Reports a problem that only a user can fix. Each problem is reported once: if the condition
   * already states the problem, this method neither writes the status nor records another Event.
   *
   * @param client the client of the reconcile
   * @param reason the reason in the condition and in the Event, one word
   * @param event the message of the Event, which states the problem
   * @param message the message of the condition, which states the problem and its remedy
   */
  void stalled(Client client, Foo foo, String reason, String event, String message) {
    FooStatus status = statusOf(foo);
    long generation = foo.getMetadata().getGeneration();
    boolean changed =
        conditionsOf(status)
            .set(FooStatus.STALLED, Conditions.Status.TRUE, reason, message, generation);
    if (changed) {
      foo.setStatus(status);
      try {
        client.updateStatus(foo);
      } finally { // send the Event even if the status cannot be written
        recorder.warning(foo, reason, event);
      }
    }
  }

  /**
   * Reports a Foo that does not name a Deployment. If the name is empty, this method only records
   * an Event, because sample-controller does not write the status in that case. If the name or the
   * whole specification is missing, this method reports the Foo as stalled.
   */
  void unnamed(Client client, Foo foo) {
    String reason = "DeploymentNameMissing";
    String message = "spec.deploymentName is missing: set the name of the Deployment to create";
    if (foo.getSpec().getDeploymentName() == null) {
      stalled(client, foo, reason, message, message);
    } else {
      recorder.warning(foo, reason, message);
    }
  }

  /**
   * Updates the status if it has changed, and records an Event that reports success.
   *
   * @return whether the status has changed
   */
  boolean synced(Client client, Foo foo, Deployment deployment) {
    Integer available =
        deployment.getStatus() == null ? null : deployment.getStatus().getAvailableReplicas();
    FooStatus seen = statusOf(foo);
    seen.setAvailableReplicas(available == null ? 0 : available);
    conditionsOf(seen).remove(FooStatus.STALLED);
    boolean changed = !seen.isSameAs(foo.getStatus());
    if (changed) {
      foo.setStatus(seen);
      client.updateStatus(foo);
    }
    recorder.normal(foo, "Synced", "Foo synced successfully");
    return changed;
  }

  /** Returns a modifiable copy of the status. */
  private static FooStatus statusOf(Foo foo) {
    FooStatus copy = new FooStatus();
    if (foo.getStatus() != null) {
      copy.setAvailableReplicas(foo.getStatus().getAvailableReplicas());
      copy.setConditions(new ArrayList<>(foo.getStatus().getConditions()));
    }
    return copy;
  }

  private Conditions conditionsOf(FooStatus status) {
    return Conditions.of(status.getConditions(), clock);
  }
}
