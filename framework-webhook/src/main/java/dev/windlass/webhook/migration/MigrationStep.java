// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.webhook.migration.MigrationProgress.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a migration as a state machine. Each call to {@link #run} sends at most two requests.
 *
 * <pre>
 *   CHECK --[an old version is stored]--&gt; SETTLE --&gt; LIST --&gt; REWRITE --[last page]--&gt; TRIM
 *     ^                                               ^-----------'                      |
 *     '-----------[done; objects failed; the storage version changed]--------------------'
 * </pre>
 *
 * <p>The state is kept only in memory. If the migration is interrupted, it starts again with the
 * first object. It sends requests for all objects again, but the API server does not write the
 * objects that it has already rewritten.
 */
final class MigrationStep implements LoopStep {

  /** The minimum interval between two progress messages in the log: 1 min. */
  private static final Duration LOG_PERIOD = Duration.ofMinutes(1);

  /** The delay before the migration starts again if some objects could not be rewritten: 10 min. */
  static final Duration RETRY_FAILED = Duration.ofMinutes(10);

  /** The maximum number of attempts to rewrite an object if the server returns errors: 3. */
  private static final int ATTEMPTS = 3;

  /** The maximum number of failed objects that are logged as warnings in one pass. */
  private static final int MAX_WARNINGS = 10;

  /** The back-off after failed requests: 1 s, doubled after each further failure up to 1 min. */
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final Logger log = LoggerFactory.getLogger(StorageMigration.class);

  private enum Phase {
    CHECK,
    SETTLE,
    LIST,
    REWRITE,
    TRIM
  }

  private final String name;
  private final MigrationRequests requests;
  private final MigrationPace pace;
  private final MigrationProgress progress;
  private final Scheduler scheduler;
  private final Duration checkPeriod;
  private final Duration settleTime;

  private Phase phase = Phase.CHECK;

  /** The definition as it was last read; null before it has been read. */
  private @Nullable Definition definition;

  private String continueToken = "";
  private final Deque<StoredObject> page = new ArrayDeque<>();

  /** The problem because of which the migration last refused to start; null if there is none. */
  private @Nullable String refused;

  /** The number of consecutive failed requests. */
  private int failures;

  private long begunAt;
  private long loggedAt;

  MigrationStep(
      String name,
      MigrationRequests requests,
      MigrationPace pace,
      MigrationProgress progress,
      Scheduler scheduler,
      Duration checkPeriod,
      Duration settleTime) {
    this.name = name;
    this.requests = requests;
    this.pace = pace;
    this.progress = progress;
    this.scheduler = scheduler;
    this.checkPeriod = checkPeriod;
    this.settleTime = settleTime;
  }

  @Override
  public StepDelay run() throws InterruptedException {
    return switch (phase) {
      case CHECK -> check();
      case SETTLE -> settle();
      case LIST -> list();
      case REWRITE -> rewrite();
      case TRIM -> trim();
    };
  }

  private StepDelay check() throws InterruptedException {
    Reply<Definition> reply = requests.definition();
    if (reply.isGone()) {
      return idle();
    } else if (reply.value().isEmpty()) {
      return retry("read the definition of", reply);
    }
    succeeded();
    definition = reply.value().get();
    if (!definition.needsMigration()) {
      return idle();
    }
    if (definition.removedField().isPresent()) {
      return refuse(definition.removedField().get());
    }
    // Every API server must have received the new storage version; otherwise, it may still write
    // the old one.
    phase = Phase.SETTLE;
    return StepDelay.of(settleTime);
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
    if (!problem.equals(refused)) {
      log.error("Refused a storage migration: {}", problem);
    }
    refused = problem;
    progress.refused(problem);
    return StepDelay.of(checkPeriod);
  }

  /** Records that there is nothing to migrate, and returns the delay before the next check. */
  private StepDelay idle() {
    progress.nothingToDo();
    phase = Phase.CHECK;
    return StepDelay.of(checkPeriod);
  }

  private StepDelay settle() throws InterruptedException {
    Optional<StepDelay> instead = recheck();
    return instead.isPresent() ? instead.get() : begin();
  }

  /**
   * Reads the definition again, and checks whether the current phase can continue.
   *
   * @return empty if the phase can continue; the delay before the next step if the definition could
   *     not be read, or if its storage version may have changed, so that the migration must start
   *     again
   */
  private Optional<StepDelay> recheck() throws InterruptedException {
    Reply<Definition> reply = requests.definition();
    boolean gone = reply.isGone();
    if (reply.value().isEmpty() && !gone) {
      return Optional.of(retry("read the definition of", reply));
    }
    Definition before = current();
    if (gone || !reply.value().get().continues(before)) {
      log.info("The definition of {} has changed; checking its stored versions again", name);
      phase = Phase.CHECK;
      return Optional.of(StepDelay.NONE);
    }
    definition = reply.value().get();
    return Optional.empty();
  }

  private void succeeded() {
    failures = 0;
    progress.setProblem(null);
  }

  private StepDelay begin() {
    progress.beginPass();
    refused = null;
    begunAt = scheduler.nanoTime();
    loggedAt = begunAt;
    continueToken = "";
    page.clear();
    phase = Phase.LIST;
    log.info(
        "Rewriting the objects of {} in the storage version {}; the stored versions are {}",
        name,
        current().storageVersion(),
        current().storedVersions());
    return StepDelay.NONE;
  }

  private Definition current() {
    Definition known = definition;
    if (known == null) {
      throw new IllegalStateException("the definition has not been read yet");
    }
    return known;
  }

  private StepDelay list() throws InterruptedException {
    Optional<StepDelay> instead = recheck();
    if (instead.isPresent()) {
      return instead.get();
    }
    Reply<ObjectPage> reply = requests.list(current().storageVersion(), continueToken);
    if (reply.code() == Reply.GONE) {
      // The state of the first page has been compacted. Objects that were created since then are
      // stored in the new version, so the list can continue in the current state if the server
      // permits it.
      continueToken = reply.continueToken();
      return StepDelay.of(pace.pause(Duration.ZERO));
    } else if (reply.value().isEmpty()) {
      return retry("list", reply);
    }
    succeeded();
    page.addAll(reply.value().get().objects());
    continueToken = reply.value().get().continueToken();
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

  private StepDelay rewrite() throws InterruptedException {
    StoredObject object = page.element();
    long sentAt = scheduler.nanoTime();
    Reply<Boolean> reply = requests.rewrite(current().storageVersion(), object);
    Duration took = Duration.ofNanos(scheduler.nanoTime() - sentAt);
    if (reply.value().isPresent()) {
      progress.add(object.key(), Outcome.REWRITTEN, "");
    } else if (reply.isChanged()) {
      progress.add(object.key(), Outcome.CHANGED, "");
    } else if (reply.isGeneral()
        || (reply.code() >= Reply.INTERNAL_ERROR && failures + 1 < ATTEMPTS)) {
      return retry("rewrite an object of", reply);
    } else {
      progress.add(object.key(), Outcome.FAILED, reply.message());
      logFailed(object, reply);
    }
    succeeded();
    page.remove();
    logProgress();
    Duration pause = pace.pause(took);
    StepDelay delay = next();
    return phase == Phase.CHECK ? delay : StepDelay.of(pause);
  }

  private void logFailed(StoredObject object, Reply<?> reply) {
    String message = "Failed to rewrite {} of {}: {}; continuing with the others. {}";
    if (progress.inPass(Outcome.FAILED) <= MAX_WARNINGS) {
      log.warn(message, object.key(), name, reply.message(), reply.advice());
    } else {
      log.debug(message, object.key(), name, reply.message(), reply.advice());
    }
  }

  private void logProgress() {
    long now = scheduler.nanoTime();
    if (now - loggedAt >= LOG_PERIOD.toNanos()) {
      loggedAt = now;
      log.info("Rewriting the objects of {}: {}", name, progress.summary());
    }
  }

  private StepDelay trim() throws InterruptedException {
    Optional<StepDelay> instead = recheck();
    if (instead.isPresent()) {
      return instead.get();
    }
    Reply<Boolean> reply = requests.trim(current());
    if (reply.code() == Reply.CONFLICT) {
      return StepDelay.of(pace.pause(Duration.ZERO)); // reads the definition again
    } else if (reply.value().isEmpty()) {
      return retry("set the stored versions of", reply);
    }
    succeeded();
    log.info(
        "All objects of {} are stored in {} now: {}, in {}",
        name,
        current().storageVersion(),
        progress.summary(),
        DurationText.of(Duration.ofNanos(scheduler.nanoTime() - begunAt)));
    return idle();
  }

  /**
   * Records and logs a failed request.
   *
   * @param action the verb phrase for the log, such as "list"
   * @return the delay before the current phase runs again
   */
  private StepDelay retry(String action, Reply<?> reply) {
    if (reply.code() == Reply.TOO_MANY_REQUESTS) {
      pace.slowDown();
    }
    Duration delay = BACKOFF.delay(failures);
    delay = delay.compareTo(reply.retryAfter()) < 0 ? reply.retryAfter() : delay;
    failures++;
    String problem = "Failed to " + action + " " + name + ": " + reply.message();
    progress.setProblem(problem);
    if (failures == 1 && reply.code() != Reply.TOO_MANY_REQUESTS) {
      log.warn("{}; retrying in {}. {}", problem, DurationText.of(delay), reply.advice());
    } else {
      log.debug("{}; retrying in {}. {}", problem, DurationText.of(delay), reply.advice());
    }
    return StepDelay.of(delay);
  }
}
