// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers which objects a controller reconciled, when, and how that ended. */
final class Runs implements ControllerListener {

  private record Run(String key, Outcome outcome, long heardAt) {}

  private final List<Run> runs = new CopyOnWriteArrayList<>();

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    runs.add(new Run(request.toString(), outcome, System.nanoTime()));
  }

  /** How often an object was reconciled. */
  long of(String key) {
    return runs.stream().filter(run -> run.key().equals(key)).count();
  }

  /** How often that ended in a certain way. */
  long of(String key, Outcome outcome) {
    return runs.stream().filter(run -> run.key().equals(key) && run.outcome() == outcome).count();
  }

  /** When that was heard of, in the order of the runs; {@link System#nanoTime}. */
  List<Long> times(String key) {
    return runs.stream().filter(run -> run.key().equals(key)).map(Run::heardAt).toList();
  }

  /** The objects, each once. */
  List<String> keys() {
    return runs.stream().map(Run::key).distinct().toList();
  }
}
