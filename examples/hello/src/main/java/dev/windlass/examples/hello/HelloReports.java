// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.owned.Conditions;
import dev.windlass.events.EventRecorder;
import java.time.Clock;

/** Reports an invalid Hello once, with a condition and an Event. */
final class HelloReports {

  private static final String REASON = "InvalidTimes";

  private final EventRecorder recorder;
  private final Clock clock;

  HelloReports(EventRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Returns whether a Hello is invalid, and reports an invalid Hello. The schema in the CRD rejects
   * invalid Hellos, but the cluster may have an older CRD.
   *
   * <p>If the Hello is invalid and the condition does not state this yet, this method sets the
   * condition, updates the status and records an Event. If the Hello is valid, this method removes
   * the condition from the given object; the next status update sends this change to the API
   * server.
   */
  boolean stalls(HelloStore store, Hello hello) {
    Conditions conditions = Conditions.of(hello.getStatus().getConditions(), clock);
    int times = hello.getSpec().getHelloTimes();
    if (times >= 0) {
      conditions.remove(HelloStatus.STALLED);
      return false;
    }
    String message = "spec.helloTimes is %d: use zero or more".formatted(times);
    long generation = hello.getMetadata().getGeneration();
    if (conditions.set(HelloStatus.STALLED, Conditions.Status.TRUE, REASON, message, generation)) {
      store.updateStatus(hello);
      recorder.warning(hello, REASON, message);
    }
    return true;
  }
}
