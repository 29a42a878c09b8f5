// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.owned.Conditions;
import dev.windlass.events.EventRecorder;
import java.time.Clock;

/** Reports an invalid Hello by a condition and an Event, once. */
final class HelloReports {

  private static final String REASON = "InvalidTimes";

  private final EventRecorder recorder;
  private final Clock clock;

  HelloReports(EventRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Reports whether a Hello is invalid. The CRD rejects such Hellos, but an older CRD may be
   * installed. Writes the condition and the Event if the problem is new. If the Hello is valid,
   * removes the condition; the next status update writes that.
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
