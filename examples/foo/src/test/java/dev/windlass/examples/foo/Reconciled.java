// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what was reconciled, and how often that failed. */
final class Reconciled implements ControllerListener {

  private final Map<Request, Integer> times = new ConcurrentHashMap<>();
  private final AtomicInteger failures = new AtomicInteger();

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    times.merge(request, 1, Integer::sum);
    if (outcome != Outcome.DONE) {
      failures.incrementAndGet();
    }
  }

  Set<Request> keys() {
    return times.keySet();
  }

  /** How often one was. */
  int of(Request request) {
    return times.getOrDefault(request, 0);
  }

  int failures() {
    return failures.get();
  }
}
