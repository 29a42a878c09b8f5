// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** When a reconciler ran on virtual time, and how each run ended. */
final class Runs implements ControllerListener {

  private final ManualScheduler time;
  private final List<Duration> starts = new CopyOnWriteArrayList<>();
  private final List<Outcome> ends = new CopyOnWriteArrayList<>();

  Runs(ManualScheduler time) {
    this.time = time;
  }

  /**
   * The reconciler, watched, and slowed down.
   *
   * @param took how long the runs take, in milliseconds of virtual time; later ones take none
   */
  Reconciler of(Reconciler reconciler, List<Integer> took) {
    return (request, context) -> {
      starts.add(Duration.ofNanos(time.nanoTime()));
      try {
        return reconciler.reconcile(request, context);
      } finally {
        int run = starts.size();
        if (run <= took.size()) {
          time.advance(Duration.ofMillis(took.get(run - 1)));
        }
      }
    };
  }

  @Override
  public void reconciled(Request request, Outcome outcome, Duration lasted) {
    ends.add(outcome);
  }

  /** How they ended, in order. Of one that is listed, it is decided what comes next. */
  List<Outcome> ends() {
    return ends;
  }

  /** When they began, in milliseconds since the first one did. */
  List<Long> starts() {
    return starts.stream().map(start -> start.minus(starts.get(0)).toMillis()).toList();
  }
}
