// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli.testing;

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

  private record Failure(String key, Throwable thrown) {}

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

  /** How many runs were not done, of all objects. */
  public long failures() {
    return runs(run -> run.outcome() != Outcome.DONE).count();
  }

  /** What the runs of an object have thrown, in order. */
  public List<Throwable> thrown(String key) {
    return failures.stream().filter(f -> f.key().equals(key)).map(Failure::thrown).toList();
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
