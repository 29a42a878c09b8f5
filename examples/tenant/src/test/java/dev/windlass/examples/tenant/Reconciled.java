// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was reconciled, and how that ended. */
final class Reconciled implements ControllerListener {

  private record Run(String tenant, Outcome outcome, long at) {}

  private record Failure(String tenant, Throwable thrown) {}

  private final List<Run> runs = new CopyOnWriteArrayList<>();
  private final List<Failure> failures = new CopyOnWriteArrayList<>();

  @Override
  public void failed(Request request, Throwable thrown) {
    failures.add(new Failure(request.toString(), thrown));
  }

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    runs.add(new Run(request.toString(), outcome, System.nanoTime()));
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

  /** What was thrown, in order. */
  List<Throwable> failures(String tenant) {
    return failures.stream()
        .filter(failure -> failure.tenant().equals(tenant))
        .map(Failure::thrown)
        .toList();
  }

  /** When each run of a Tenant ended, in milliseconds of some clock. */
  List<Long> ends(String tenant) {
    return runs.stream()
        .filter(run -> run.tenant().equals(tenant))
        .map(run -> run.at() / 1_000_000)
        .toList();
  }
}
