// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.testsupport;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Records which objects a controller reconciled, when, and how that ended. */
public final class Runs implements ControllerListener {

  private record Run(String key, Outcome outcome, long at) {}

  private final List<Run> runs = new CopyOnWriteArrayList<>();

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    runs.add(new Run(request.toString(), outcome, System.nanoTime()));
  }

  private Stream<Run> runs(Predicate<Run> which) {
    return runs.stream().filter(which);
  }

  /** How often an object was reconciled. */
  public long of(String key) {
    return runs(run -> run.key().equals(key)).count();
  }

  /** How often that ended in a certain way. */
  public long of(String key, Outcome outcome) {
    return runs(run -> run.key().equals(key) && run.outcome() == outcome).count();
  }

  /** When each run of an object ended, in order; {@link System#nanoTime}. */
  public List<Long> times(String key) {
    return runs(run -> run.key().equals(key)).map(Run::at).toList();
  }

  /** The objects, each once. */
  public List<String> keys() {
    return runs.stream().map(Run::key).distinct().toList();
  }
}
