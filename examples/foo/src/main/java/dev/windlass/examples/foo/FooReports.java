// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Conditions;
import dev.windlass.events.EventRecorder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.ArrayList;

/** Tells people how a Foo is: by its status, and by Events. */
final class FooReports {

  private final EventRecorder recorder;
  private final Clock clock;

  FooReports(EventRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * The Foo can't be had until somebody changes something. The same problem is told once, however
   * often it is met: a condition that says it already leads to no write and to no second Event.
   *
   * @param client of the reconcile
   * @param reason one word, of the condition and of the Event
   * @param event what is wrong
   * @param message the same, and what to do
   */
  void stalled(Client client, Foo foo, String reason, String event, String message) {
    FooStatus status = statusOf(foo);
    long generation = foo.getMetadata().getGeneration();
    boolean news =
        conditionsOf(status)
            .set(FooStatus.STALLED, Conditions.Status.TRUE, reason, message, generation);
    if (news) {
      foo.setStatus(status);
      try {
        client.updateStatus(foo);
      } finally { // people hear of it all the same
        recorder.warning(foo, reason, event);
      }
    }
  }

  /**
   * The Foo names no Deployment. In the original an empty name leads to no write, so that is left
   * to the Event; a Foo without a name, or without a specification, is stalled.
   */
  void unnamed(Client client, Foo foo) {
    String reason = "DeploymentNameMissing";
    String message = "spec.deploymentName is missing: name the Deployment that the Foo is to have";
    if (foo.getSpec().getDeploymentName() == null) {
      stalled(client, foo, reason, message, message);
    } else {
      recorder.warning(foo, reason, message);
    }
  }

  /** The Deployment is as the Foo wants it. One write for all that is new, and none for nothing. */
  void synced(Client client, Foo foo, Deployment deployment) {
    Integer available =
        deployment.getStatus() == null ? null : deployment.getStatus().getAvailableReplicas();
    FooStatus seen = statusOf(foo);
    seen.setAvailableReplicas(available == null ? 0 : available);
    conditionsOf(seen).remove(FooStatus.STALLED);
    if (!seen.isSameAs(foo.getStatus())) {
      foo.setStatus(seen);
      client.updateStatus(foo);
    }
    recorder.normal(foo, "Synced", "Foo synced successfully");
  }

  /** A copy of the status, to be changed. */
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
