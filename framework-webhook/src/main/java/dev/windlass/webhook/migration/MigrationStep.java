// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import static java.util.Objects.requireNonNull;

import dev.windlass.client.ApiException;
import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureCause;
import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.webhook.migration.MigrationRequests.Definition;
import dev.windlass.webhook.migration.MigrationRequests.StoredObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs a migration as a state machine. Each call to {@link #run} reads the definition, lists the
 * objects, or changes one object.
 *
 * <pre>
 *   CHECK --[an old version is stored]--&gt; LIST --&gt; REWRITE --[no object left]--&gt; TRIM
 *     ^                                                                          |
 *     '---[done; objects failed; the definition changed]-------------------------'
 * </pre>
 *
 * <p>The state is kept only in memory. If the migration is interrupted, it starts again with the
 * first object. It sends requests for all objects again, but the API server does not write the
 * objects that it has already rewritten. {@link #total}, {@link #isPending} and {@link #problem}
 * can be called from any thread.
 */
final class MigrationStep implements LoopStep {

  /** The outcome for one object. */
  enum Outcome {
    /** The object was stored again. */
    REWRITTEN,
    /** Another writer has changed or deleted the object since it was listed. */
    CHANGED,
    /** The server has rejected the object, or has failed several times to store it. */
    FAILED
  }

  /** The delay before the migration starts again if some objects could not be rewritten: 10 min. */
  static final Duration RETRY_FAILED = Duration.ofMinutes(10);

  /** The maximum number of attempts to rewrite an object if the server returns errors: 3. */
  private static final int ATTEMPTS = 3;

  /**
   * The number of objects after which the definition is read again, so that the migration stops
   * soon after somebody has switched the conversion off: 100, as many as are rewritten in 5 s.
   */
  private static final int CHECKED = 100;

  /** The maximum number of attempts to rewrite an object without a response: 10, some 5 min. */
  private static final int LOST = 10;

  /** The maximum number of failed objects that are logged as warnings in one pass. */
  private static final int MAX_WARNINGS = 10;

  /** The longest pause after a patch: 10 s. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  /** The back-off after failed requests: 1 s, doubled after each further failure up to 1 min. */
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final Logger log = LoggerFactory.getLogger(StorageMigration.class);

  private final String name;
  private final MigrationRequests requests;
  private final Scheduler scheduler;
  private final Duration checkPeriod;
  private final Duration settleTime;

  /** The shortest pause after a patch. */
  private final Duration interval;

  /** Sends the next request. */
  private Supplier<StepDelay> phase = this::check;

  /** The definition as it was last read; null before it has been read. */
  private @Nullable Definition definition;

  /** The objects that this pass has listed and not yet processed. */
  private final Deque<StoredObject> objects = new ArrayDeque<>();

  /** The number of consecutive failed requests. */
  private int failures;

  /** The number of objects that were processed in this term, by outcome. */
  private final Map<Outcome, AtomicLong> totals = new EnumMap<>(Outcome.class);

  /** The totals at the beginning of this pass. */
  private final Map<Outcome, Long> before = new EnumMap<>(Outcome.class);

  private volatile boolean pending;
  private volatile Optional<String> problem = Optional.empty();

  MigrationStep(
      String name,
      MigrationRequests requests,
      StorageMigrationBuilder settings,
      Scheduler scheduler) {
    this.name = name;
    this.requests = requests;
    this.scheduler = scheduler;
    this.checkPeriod = settings.checkPeriod;
    this.settleTime = settings.settleTime;
    this.interval = Duration.ofSeconds(1).dividedBy(settings.objectsPerSecond);
    for (Outcome outcome : Outcome.values()) {
      totals.put(outcome, new AtomicLong());
    }
  }

  /** Returns the number of objects with an outcome in this term. */
  long total(Outcome outcome) {
    return requireNonNull(totals.get(outcome)).get();
  }

  /** Returns whether objects may be stored in an old version, as far as is known. */
  boolean isPending() {
    return pending;
  }

  /** Returns why the migration does not make progress or has not succeeded. */
  Optional<String> problem() {
    return problem;
  }

  @Override
  public StepDelay run() throws InterruptedException {
    try {
      StepDelay delay = phase.get();
      failures = 0;
      return delay;
    } catch (RuntimeException e) { // for example, because this replica has lost the lease
      return retry(e);
    }
  }

  private StepDelay check() {
    Optional<Definition> read = requests.definition().filter(Definition::needsMigration);
    if (read.isEmpty()) {
      return idle();
    }
    definition = read.get();
    pending = true;
    if (read.get().removedField().isPresent()) {
      return refuse(read.get().removedField().get());
    }
    for (Outcome outcome : Outcome.values()) {
      before.put(outcome, total(outcome));
    }
    objects.clear();
    phase = this::list;
    log.info(
        "Rewriting the objects of {} in the storage version {}; the stored versions are {}",
        name,
        current().storageVersion(),
        current().storedVersions());
    // Every API server must have received the new storage version; otherwise, it may still write
    // the old one.
    return StepDelay.of(settleTime);
  }

  /** Reports that a migration would delete a field in all objects. */
  private StepDelay refuse(String field) {
    String refusal =
        ("the objects of %s are not rewritten in the storage version %s: the conversion strategy of"
                + " the definition is None, so the API server would remove the field %s. Apply the"
                + " definition with the strategy Webhook")
            .formatted(name, current().storageVersion(), field);
    if (!problem.equals(Optional.of(refusal))) {
      log.error("Refused a storage migration: {}", refusal);
    }
    problem = Optional.of(refusal);
    return StepDelay.of(checkPeriod);
  }

  /** Records that there is nothing to migrate, and returns the delay before the next check. */
  private StepDelay idle() {
    pending = false;
    problem = Optional.empty();
    phase = this::check;
    return StepDelay.of(checkPeriod);
  }

  /**
   * Reads the definition again, and returns whether the migration can continue. If the storage
   * version may have changed, it starts again.
   */
  private boolean continues() {
    Definition earlier = current();
    Optional<Definition> now = requests.definition().filter(read -> read.continues(earlier));
    if (now.isEmpty()) {
      log.info("The definition of {} has changed; checking its stored versions again", name);
      phase = this::check;
      return false;
    }
    definition = now.get();
    return true;
  }

  private Definition current() {
    return requireNonNull(definition, "the definition has not been read yet");
  }

  private StepDelay list() {
    if (!continues()) {
      return StepDelay.NONE;
    }
    objects.addAll(requests.list(current().storageVersion()));
    problem = Optional.empty();
    return next();
  }

  private StepDelay rewrite() {
    if (objects.size() % CHECKED == 0 && !continues()) {
      return StepDelay.NONE;
    }
    StoredObject object = objects.element();
    long sentAt = scheduler.nanoTime();
    try {
      requests.rewrite(current().storageVersion(), object);
      count(Outcome.REWRITTEN);
    } catch (ApiException e) {
      if (isChange(e)) {
        count(Outcome.CHANGED);
      } else if (isGeneral(e) || (e.getCode() >= 500 && failures + 1 < ATTEMPTS)) {
        throw e;
      } else {
        count(Outcome.FAILED);
        Level level = inPass(Outcome.FAILED) <= MAX_WARNINGS ? Level.WARN : Level.DEBUG;
        log.atLevel(level)
            .log("Failed to rewrite an object; continuing with the others: {}", e.getMessage());
      }
    }
    problem = Optional.empty();
    objects.remove();
    StepDelay delay = next();
    return delay.equals(StepDelay.NONE) ? StepDelay.of(pause(sentAt)) : delay;
  }

  private void count(Outcome outcome) {
    requireNonNull(totals.get(outcome)).incrementAndGet();
  }

  private long inPass(Outcome outcome) {
    return total(outcome) - before.getOrDefault(outcome, 0L);
  }

  /** Selects the next phase after the objects have been listed or one has been processed. */
  private StepDelay next() {
    if (!objects.isEmpty()) {
      phase = this::rewrite;
    } else if (inPass(Outcome.FAILED) == 0) {
      phase = this::trim;
    } else {
      problem =
          Optional.of(
              "objects of %s can't be rewritten in the storage version %s, so older versions remain in use: %s"
                  .formatted(name, current().storageVersion(), summary()));
      log.warn("Some {}; trying again in {}", problem.get(), DurationText.of(RETRY_FAILED));
      phase = this::check;
      return StepDelay.of(RETRY_FAILED);
    }
    return StepDelay.NONE;
  }

  private String summary() {
    return "%d rewritten, %d changed by others meanwhile, %d failed"
        .formatted(inPass(Outcome.REWRITTEN), inPass(Outcome.CHANGED), inPass(Outcome.FAILED));
  }

  /** Returns whether another client has changed or deleted the object. */
  private static boolean isChange(ApiException e) {
    return e instanceof NotFoundException
        || (e instanceof ConflictException && cause(e) != FailureCause.ADMISSION_REFUSED);
  }

  /**
   * Returns whether the same request would also fail for other objects: the server is overloaded or
   * unreachable, or the program does not have permission for the operation. If no response has
   * arrived for several minutes, the object may be the reason, for example because its conversion
   * hangs.
   */
  private boolean isGeneral(ApiException e) {
    return switch (e.getCode()) {
      case 401, 429, 502, 503, 504 -> true;
      case 403 -> cause(e) == FailureCause.FORBIDDEN;
      default -> e.getCode() <= 0 && failures + 1 < LOST;
    };
  }

  private static FailureCause cause(ApiException e) {
    return ErrorResponse.of(e.getCode(), e.getStatus()).problem();
  }

  /**
   * Returns the pause after a patch: as long as the patch took, but at least the interval and at
   * most 10 s. A server that responds more slowly therefore receives fewer requests.
   */
  private Duration pause(long sentAt) {
    Duration pause = longer(Duration.ofNanos(scheduler.nanoTime() - sentAt), interval);
    return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private StepDelay trim() {
    if (!continues()) {
      return StepDelay.NONE;
    }
    try {
      requests.trim(current());
    } catch (ConflictException e) {
      return StepDelay.of(interval); // reads the definition again
    }
    log.info(
        "All objects of {} are stored in {} now: {}", name, current().storageVersion(), summary());
    return idle();
  }

  /** Records and logs a failed request, and returns the delay before the phase runs again. */
  private StepDelay retry(RuntimeException e) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(); // the migration stops
    }
    Duration delay = longer(BACKOFF.delay(failures), ApiException.retryAfter(e));
    failures++;
    problem = Optional.of(String.valueOf(e.getMessage()));
    log.atLevel(failures == 1 && !ApiException.isOverload(e) ? Level.WARN : Level.DEBUG)
        .log(
            "A request of the storage migration of {} failed; retrying in {}: {}",
            name,
            DurationText.of(delay),
            e.getMessage());
    return StepDelay.of(delay);
  }
}
