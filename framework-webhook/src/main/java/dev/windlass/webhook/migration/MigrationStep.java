// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.webhook.migration.MigrationProgress.Outcome;
import dev.windlass.webhook.migration.MigrationRequests.Definition;
import dev.windlass.webhook.migration.MigrationRequests.Failure;
import dev.windlass.webhook.migration.MigrationRequests.Page;
import dev.windlass.webhook.migration.MigrationRequests.StoredObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs a migration as a state machine. Each call to {@link #run} sends at most two requests.
 *
 * <pre>
 *   CHECK --[an old version is stored]--&gt; LIST --&gt; REWRITE --[last page]--&gt; TRIM
 *     ^                                    ^-----------'                      |
 *     '---[done; objects failed; the storage version changed]----------------'
 * </pre>
 *
 * <p>The state is kept only in memory. If the migration is interrupted, it starts again with the
 * first object. It sends requests for all objects again, but the API server does not write the
 * objects that it has already rewritten.
 */
final class MigrationStep implements LoopStep {

  /** The delay before the migration starts again if some objects could not be rewritten: 10 min. */
  static final Duration RETRY_FAILED = Duration.ofMinutes(10);

  /** The maximum number of attempts to rewrite an object if the server returns errors: 3. */
  private static final int ATTEMPTS = 3;

  /** The maximum number of failed objects that are logged as warnings in one pass. */
  private static final int MAX_WARNINGS = 10;

  /** The longest pause after a patch: 10 s. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  /** The back-off after failed requests: 1 s, doubled after each further failure up to 1 min. */
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final Logger log = LoggerFactory.getLogger(StorageMigration.class);

  private enum Phase {
    CHECK,
    LIST,
    REWRITE,
    TRIM
  }

  private final String name;
  private final MigrationRequests requests;
  private final MigrationProgress progress;
  private final Scheduler scheduler;
  private final Duration checkPeriod;
  private final Duration settleTime;

  /** The shortest pause after a patch. */
  private final Duration interval;

  private Phase phase = Phase.CHECK;

  /** The definition as it was last read; null before it has been read. */
  private @Nullable Definition definition;

  private String continueToken = "";
  private final Deque<StoredObject> page = new ArrayDeque<>();

  /** The number of consecutive failed requests. */
  private int failures;

  MigrationStep(
      String name,
      MigrationRequests requests,
      StorageMigrationBuilder settings,
      MigrationProgress progress,
      Scheduler scheduler) {
    this.name = name;
    this.requests = requests;
    this.progress = progress;
    this.scheduler = scheduler;
    this.checkPeriod = settings.checkPeriod;
    this.settleTime = settings.settleTime;
    this.interval = Duration.ofSeconds(1).dividedBy(settings.objectsPerSecond);
  }

  @Override
  public StepDelay run() throws InterruptedException {
    try {
      return switch (phase) {
        case CHECK -> check();
        case LIST -> continues() ? list() : StepDelay.NONE;
        case REWRITE -> rewrite();
        case TRIM -> continues() ? trim() : StepDelay.NONE;
      };
    } catch (Failure e) {
      return retry(e);
    }
  }

  private StepDelay check() throws Failure, InterruptedException {
    Optional<Definition> read = requests.definition();
    failures = 0;
    if (read.isEmpty() || !read.get().needsMigration()) {
      return idle();
    }
    definition = read.get();
    if (definition.removedField().isPresent()) {
      return refuse(definition.removedField().get());
    }
    return begin();
  }

  /**
   * Records that a migration would delete a field in all objects, and returns the delay before the
   * next check.
   */
  private StepDelay refuse(String field) {
    String problem =
        ("the objects of %s are not rewritten in the storage version %s: the conversion strategy of"
                + " the definition is None, so the API server would remove the field %s. Apply the"
                + " definition with the strategy Webhook")
            .formatted(name, current().storageVersion(), field);
    if (!progress.problem().equals(Optional.of(problem))) {
      log.error("Refused a storage migration: {}", problem);
    }
    progress.refused(problem);
    return StepDelay.of(checkPeriod);
  }

  /** Records that there is nothing to migrate, and returns the delay before the next check. */
  private StepDelay idle() {
    progress.nothingToDo();
    phase = Phase.CHECK;
    return StepDelay.of(checkPeriod);
  }

  /**
   * Reads the definition again, and returns whether the current phase can continue. If the storage
   * version may have changed, the migration starts again.
   */
  private boolean continues() throws Failure, InterruptedException {
    Definition before = current();
    Optional<Definition> now = requests.definition().filter(read -> read.continues(before));
    if (now.isEmpty()) {
      log.info("The definition of {} has changed; checking its stored versions again", name);
      phase = Phase.CHECK;
      return false;
    }
    definition = now.get();
    return true;
  }

  private void succeeded() {
    failures = 0;
    progress.setProblem(null);
  }

  private StepDelay begin() {
    progress.beginPass();
    continueToken = "";
    page.clear();
    phase = Phase.LIST;
    log.info(
        "Rewriting the objects of {} in the storage version {}; the stored versions are {}",
        name,
        current().storageVersion(),
        current().storedVersions());
    // Every API server must have received the new storage version; otherwise, it may still write
    // the old one.
    return StepDelay.of(settleTime);
  }

  private Definition current() {
    Definition known = definition;
    if (known == null) {
      throw new IllegalStateException("the definition has not been read yet");
    }
    return known;
  }

  private StepDelay list() throws Failure, InterruptedException {
    Page read;
    try {
      read = requests.list(current().storageVersion(), continueToken);
    } catch (Failure e) {
      if (e.code != Failure.GONE) {
        throw e;
      }
      // The state of the first page has been compacted. Objects that were created since then are
      // stored in the new version, so the list can continue in the current state if the server
      // permits it.
      continueToken = e.continueToken;
      return StepDelay.of(interval);
    }
    succeeded();
    page.addAll(read.objects());
    continueToken = read.continueToken();
    return next();
  }

  /** Selects the next phase after a page has been listed or an object has been processed. */
  private StepDelay next() {
    if (!page.isEmpty()) {
      phase = Phase.REWRITE;
    } else if (!continueToken.isEmpty()) {
      phase = Phase.LIST;
    } else if (progress.inPass(Outcome.FAILED) == 0) {
      phase = Phase.TRIM;
    } else {
      return reportFailed();
    }
    return StepDelay.NONE;
  }

  private StepDelay reportFailed() {
    String problem =
        "objects of "
            + name
            + " can't be rewritten in the storage version "
            + current().storageVersion()
            + ", so older versions remain in use: "
            + progress.summary();
    progress.setProblem(problem);
    log.warn("Some {}; trying again in {}", problem, DurationText.of(RETRY_FAILED));
    phase = Phase.CHECK;
    return StepDelay.of(RETRY_FAILED);
  }

  private StepDelay rewrite() throws Failure, InterruptedException {
    StoredObject object = page.element();
    long sentAt = scheduler.nanoTime();
    try {
      requests.rewrite(current().storageVersion(), object);
      progress.add(object.key(), Outcome.REWRITTEN, "");
    } catch (Failure e) {
      if (e.isChange()) {
        progress.add(object.key(), Outcome.CHANGED, "");
      } else if (e.isGeneral() || (e.code >= Failure.INTERNAL_ERROR && failures + 1 < ATTEMPTS)) {
        throw e;
      } else {
        progress.add(object.key(), Outcome.FAILED, String.valueOf(e.getMessage()));
        logFailed(object, e);
      }
    }
    succeeded();
    page.remove();
    StepDelay delay = next();
    return phase == Phase.CHECK ? delay : StepDelay.of(pause(sentAt));
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

  private void logFailed(StoredObject object, Failure e) {
    Level level = progress.inPass(Outcome.FAILED) <= MAX_WARNINGS ? Level.WARN : Level.DEBUG;
    log.atLevel(level)
        .log(
            "Failed to rewrite {} of {}: {}; continuing with the others. {}",
            object.key(),
            name,
            e.getMessage(),
            e.advice());
  }

  private StepDelay trim() throws Failure, InterruptedException {
    try {
      requests.trim(current());
    } catch (Failure e) {
      if (e.code != Failure.CONFLICT) {
        throw e;
      }
      return StepDelay.of(interval); // reads the definition again
    }
    succeeded();
    log.info(
        "All objects of {} are stored in {} now: {}",
        name,
        current().storageVersion(),
        progress.summary());
    return idle();
  }

  /** Records and logs a failed request, and returns the delay before the phase runs again. */
  private StepDelay retry(Failure e) {
    boolean overloaded = e.code == Failure.TOO_MANY_REQUESTS;
    Duration delay = longer(BACKOFF.delay(failures), e.retryAfter);
    failures++;
    String problem = "Failed to " + e.action + " " + name + ": " + e.getMessage();
    progress.setProblem(problem);
    log.atLevel(failures == 1 && !overloaded ? Level.WARN : Level.DEBUG)
        .log("{}; retrying in {}. {}", problem, DurationText.of(delay), e.advice());
    return StepDelay.of(delay);
  }
}
