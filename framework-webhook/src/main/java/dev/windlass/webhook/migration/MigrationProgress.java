// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.diagnosis.ControllerDiagnosis.FailingKey;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records the progress of a migration for its metrics and its diagnosis. In one pass, the migration
 * processes all objects once. This class is thread-safe.
 */
final class MigrationProgress {

  /** The outcome for one object. */
  enum Outcome {
    /** The object was stored again. */
    REWRITTEN,
    /** Another writer has changed or deleted the object since it was listed. */
    CHANGED,
    /** The server has rejected the object, or has failed several times to store it. */
    FAILED
  }

  /** The maximum number of failed objects for which the key and the error are kept. */
  private static final int MAX_FAILING = 100;

  private record Failure(String error, long at, int times) {}

  private final Scheduler scheduler;

  /** The number of objects that were processed since the program started, by outcome. */
  @GuardedBy("this")
  private final Map<Outcome, Long> totals = new EnumMap<>(Outcome.class);

  /** The number of objects that were processed in the latest pass, by outcome. */
  @GuardedBy("this")
  private final Map<Outcome, Long> pass = new EnumMap<>(Outcome.class);

  /**
   * The failed objects. An object that failed in one pass is removed only when the next pass
   * processes it, or when there is nothing more to migrate.
   */
  @GuardedBy("this")
  private final Map<ObjectKey, Failure> failing = new LinkedHashMap<>();

  @GuardedBy("this")
  private boolean active;

  @GuardedBy("this")
  private @Nullable String problem;

  MigrationProgress(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  synchronized void beginPass() {
    active = true;
    pass.clear();
  }

  /** Records that no object is stored in an old version. */
  synchronized void nothingToDo() {
    active = false;
    problem = null;
    failing.clear();
  }

  /** Records that objects are stored in an old version, but that the migration must not begin. */
  synchronized void refused(String text) {
    active = true;
    problem = text;
  }

  synchronized void setProblem(@Nullable String text) {
    problem = text;
  }

  synchronized void add(ObjectKey key, Outcome outcome, String error) {
    totals.merge(outcome, 1L, Long::sum);
    pass.merge(outcome, 1L, Long::sum);
    Failure before = failing.remove(key);
    if (outcome == Outcome.FAILED && failing.size() < MAX_FAILING) {
      int times = before == null ? 1 : before.times() + 1;
      failing.put(key, new Failure(error, scheduler.nanoTime(), times));
    }
  }

  synchronized long total(Outcome outcome) {
    return totals.getOrDefault(outcome, 0L);
  }

  synchronized long inPass(Outcome outcome) {
    return pass.getOrDefault(outcome, 0L);
  }

  /** Returns whether a migration has started and has not yet completed. */
  synchronized boolean isActive() {
    return active;
  }

  synchronized Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  synchronized List<FailingKey> failing() {
    List<FailingKey> keys = new ArrayList<>();
    failing.forEach(
        (key, failure) ->
            keys.add(
                new FailingKey(
                    key.toString(),
                    failure.error(),
                    failure.times(),
                    Duration.ofNanos(scheduler.nanoTime() - failure.at()),
                    Optional.empty(),
                    List.of())));
    return keys;
  }

  /** Returns a description of the latest pass, with the number of objects for each outcome. */
  synchronized String summary() {
    return "%d rewritten, %d changed by others meanwhile, %d failed"
        .formatted(inPass(Outcome.REWRITTEN), inPass(Outcome.CHANGED), inPass(Outcome.FAILED));
  }
}
