// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.owned.Conditions;
import dev.windlass.events.EventRecorder;
import java.time.Clock;

/** Tells people of a Hello that can't be had: by a condition and an Event, once. */
final class HelloReports {

  private static final String REASON = "InvalidTimes";

  private final EventRecorder recorder;
  private final Clock clock;

  HelloReports(EventRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Whether the Hello asks for what can't be had. The CRD lets no such Hello in, but the one that
   * is installed may be an older one. It is told if it is news; and if all is well, the status that
   * is written next says so.
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
