// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.controller.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what was reconciled, and how often that failed. */
final class Reconciled implements ControllerListener {

  private final Set<Request> keys = ConcurrentHashMap.newKeySet();
  private final AtomicInteger failures = new AtomicInteger();

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    keys.add(request);
    if (outcome != Outcome.DONE) {
      failures.incrementAndGet();
    }
  }

  Set<Request> keys() {
    return keys;
  }

  int failures() {
    return failures.get();
  }
}
