// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.controller.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was reconciled, and how that ended. */
final class Reconciled implements ControllerListener {

  private record Run(String tenant, Outcome outcome) {}

  private final List<Run> runs = new CopyOnWriteArrayList<>();

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    runs.add(new Run(request.toString(), outcome));
  }

  /** How often a Tenant was reconciled. */
  long of(String tenant) {
    return runs.stream().filter(run -> run.tenant().equals(tenant)).count();
  }

  /** How often that ended in a certain way. */
  long of(String tenant, Outcome outcome) {
    return runs.stream()
        .filter(run -> run.tenant().equals(tenant) && run.outcome() == outcome)
        .count();
  }
}
