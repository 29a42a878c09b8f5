// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.ReflectorState.Listing;
import dev.windlass.informer.reflector.ReflectorState.Next;
import dev.windlass.informer.reflector.ReflectorState.Resting;
import dev.windlass.informer.reflector.ReflectorState.Watching;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link ChangeSink} up to date with the server. The reflector first lists all objects and
 * then watches them. Each watch resumes where the previous watch ended. See {@link ListReason} for
 * the reasons to list again.
 *
 * <p>The reflector is a {@link LoopStep} with three states (see {@link ReflectorState}):
 *
 * <pre>
 *            ┌──────────── a list is needed ────────────┐
 *            ▼                                          │
 *         LISTING ─────────── complete ───────────► WATCHING ◄─┐
 *   as a stream; in pages                               └──────┘ ended: resume
 *   if that is refused or
 *   has no end
 * </pre>
 *
 * <p>The reflector retries after every failure. It is RESTING while it waits for the retry. The
 * delay increases from 0.8 s to 30 s, with jitter to prevent clients from reconnecting
 * simultaneously. {@link RetryPolicy} determines how the reflector responds to each failure, and
 * {@link FeedProblemLog} logs the failures.
 *
 * <p>Only one thread at a time may call {@link #run}. Any thread may call {@link #problem()} and
 * {@link #requestList()}.
 */
public final class Reflector<T> implements LoopStep {

  /**
   * The time for which the reflector waits after the time limit of a watch before it considers the
   * connection dead: 8 s. The server must also accept a watch within this time, unless a failure
   * preceded the watch.
   */
  static final Duration GRACE = Duration.ofSeconds(8);

  /**
   * The minimum duration of a watch: 1 s, as in client-go. A watch that ends earlier without an
   * event counts as a failure. If a watch delivers events but ends earlier, the reflector waits for
   * the rest of this time before it opens the next watch.
   */
  static final Duration VERY_SHORT = Duration.ofSeconds(1);

  /** The duration after which a watch counts as healthy, regardless of how it ended. */
  static final Duration HEALTHY = Duration.ofSeconds(5);

  /** The maximum number of events per step. The limit allows a busy watch to be stopped. */
  private static final int BATCH = 500;

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final LenientDecoder<T> objects;
  private final ListPlan<T> plan;
  private final Projection projection;
  private final ChangeSink<T> sink;
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final FeedListener listener;
  private final Duration watchTimeout;
  private final Runnable wakeUp;
  private final FeedProblemLog problem;

  private final @Nullable CacheAudit<T> audit;

  private final RollbackCheck versions;

  private ReflectorState<T> state;
  private final ResumeVersion resumeVersion = new ResumeVersion();

  private final PendingRelist wantedList;

  /** Whether the server has accepted the open watch. */
  private boolean accepted;

  /** Whether the open watch has delivered an event. */
  private boolean heard;

  private final FailureStreak failures = new FailureStreak();

  /**
   * Creates a reflector that begins with a list.
   *
   * @param known the objects in the cache to which the sink writes
   * @param wakeUp the callback that wakes the reflector's loop; it can be called from any thread
   */
  public Reflector(
      ListerWatcher source,
      ObjectDecoder<T> decoder,
      ChangeSink<T> sink,
      KnownObjects<T> known,
      ReflectorOptions options,
      Runnable wakeUp) {
    this.source = source;
    this.objects = new LenientDecoder<>(source.describe(), decoder, options.listener());
    this.plan = new ListPlan<>(source, objects, decoder, known, options, wakeUp);
    this.projection = decoder.codec().projection();
    this.sink = sink;
    this.scheduler = options.scheduler();
    this.random = options.random();
    this.listener = options.listener();
    this.watchTimeout = options.watchTimeout();
    this.wakeUp = wakeUp;
    this.wantedList = new PendingRelist(scheduler);
    this.problem = new FeedProblemLog(source, scheduler);
    this.audit =
        options.auditPeriod().isZero()
            ? null
            : new CacheAudit<>(source, decoder.codec(), known, options, wakeUp);
    this.versions = new RollbackCheck(source, wakeUp);
    this.state = new Resting<>(scheduler.nanoTime(), Next.LIST);
  }

  /** Returns the failure from which the reflector has not recovered, or empty if there is none. */
  public Optional<FeedFailure> problem() {
    return Optional.ofNullable(problem.current());
  }

  /** Closes any open requests. The caller must not call {@link #run} afterwards. */
  public void close() {
    closeAudit();
    versions.close();
    state.close();
  }

  @Override
  public StepDelay run() {
    try {
      return step();
    } catch (RuntimeException | Error e) {
      startOver(e);
      throw e;
    }
  }

  /**
   * Schedules a list after a step has thrown an exception. The step may have lost events, and only
   * a list compensates for lost events.
   */
  private void startOver(Throwable why) {
    String what = "the reflector failed: " + why.getClass().getName();
    FeedFailure failure = FeedFailure.of(Reason.INTERNAL, what);
    problem.begin(failure);
    failures.add(failure);
    ReflectorState<T> broken = state;
    listNext(ListReason.LOST, failures.delay(failure, random));
    broken.close(); // must come last, because a failing close must not be retried indefinitely
  }

  /**
   * Requests a new list of all objects. Call this method if the sink has lost changes. Any thread
   * may call it.
   */
  public void requestList() {
    wantedList.want(ListReason.LOST);
    wakeUp.run();
  }

  private StepDelay step() {
    ListReason wanted = state instanceof Watching<T> ? wantedList.take() : null;
    if (wanted != null) {
      state.close();
      return listNext(wanted, Duration.ZERO);
    }
    return switch (state.type()) {
      case RESTING -> rest((Resting<T>) state);
      case LISTING -> list(((Listing<T>) state).reader());
      case WATCHING -> watch((Watching<T>) state);
    };
  }

  // ---- resting

  private StepDelay restFor(Duration delay, Next next) {
    state = new Resting<>(scheduler.nanoTime() + delay.toNanos(), next);
    return StepDelay.of(delay);
  }

  private StepDelay listNext(ListReason reason, Duration delay) {
    plan.because(reason);
    closeAudit();
    return restFor(delay, Next.LIST);
  }

  private void closeAudit() {
    if (audit != null) {
      audit.close();
    }
  }

  private StepDelay rest(Resting<T> resting) {
    long left = resting.until() - scheduler.nanoTime();
    if (left > 0) {
      return StepDelay.of(Duration.ofNanos(left));
    }
    if (resting.next() == Next.WATCH) {
      return openWatch();
    }
    versions.forget();
    wantedList.forget(); // must precede the request: the list may lack changes that are lost later
    state = new Listing<>(plan.open());
    return StepDelay.NONE;
  }

  // ---- lists

  private StepDelay list(ListReader<T> reader) {
    ListReader.Outcome outcome = reader.read();
    if (outcome instanceof ListReader.Outcome.Waiting waiting) {
      return StepDelay.of(waiting.limit());
    } else if (outcome instanceof ListReader.Outcome.Failed failed) {
      return failed(failed.failure());
    } else if (outcome instanceof ListReader.Outcome.Complete complete) {
      String version = complete.resourceVersion();
      listed(reader.snapshot(), version);
      FeedStream watch = complete.watch();
      if (watch == null) {
        plan.pagesComplete();
        return openWatch();
      }
      plan.streamComplete();
      long now = scheduler.nanoTime();
      accepted = true;
      heard = true;
      state = new Watching<>(watch, version, now, now, now + nextTimeout().toNanos(), true);
    }
    return StepDelay.NONE;
  }

  private void listed(ListInProgress<T> snapshot, String version) {
    if (resumeVersion.isBehind(version)) {
      log.warn(
          "{}: the server's versions went back from {} to {}; was it restored from a backup?",
          source.describe(),
          resumeVersion.version(),
          version);
      listener.wentBack();
    }
    resumeVersion.reset(version);
    List<CachedObject<T>> found = snapshot.objects();
    sink.replace(found, ResumeVersion.parse(version));
    listener.listed(found.size());
    served("up to date again");
  }

  // ---- watches

  private Duration nextTimeout() {
    return RetryPolicy.watchTimeout(watchTimeout, random);
  }

  private StepDelay openWatch() {
    Duration timeout = nextTimeout();
    String from = resumeVersion.version();
    listener.watching(from);
    FeedStream stream = source.watch(new WatchRequest(from, timeout, false, projection), wakeUp);
    accepted = false;
    heard = false;
    long now = scheduler.nanoTime();
    long acceptBy = now + RetryPolicy.acceptLimit(failures.count()).toNanos();
    long deadline = now + timeout.plus(GRACE).toNanos();
    state = new Watching<>(stream, from, now, acceptBy, deadline, false);
    return StepDelay.NONE;
  }

  private StepDelay watch(Watching<T> watching) {
    for (int i = 0; i < BATCH; i++) {
      Optional<FeedEvent> next = watching.stream().poll();
      if (next.isEmpty()) {
        return idle(watching);
      }
      FeedEvent event = next.get();
      accepted = true;
      switch (event.type()) {
        case OPENED -> {
          served("watching again"); // the version may still turn out to have expired
          versions.begin(watching.resourceVersion());
        }
        case ADDED, MODIFIED, DELETED -> change((FeedEvent.Change) event);
        case BOOKMARK -> bookmark((FeedEvent.Bookmark) event);
        case ENDED -> {
          return watchEnded(watching);
        }
        case FAILED -> {
          return failed(((FeedEvent.Failed) event).failure());
        }
        case LISTED, LIST_END -> {
          return failed(FeedFailure.of(Reason.MALFORMED, "received a list in a watch"));
        }
      }
    }
    return StepDelay.NONE;
  }

  /** Requests a list, continues the audit or closes a dead connection, whichever is due. */
  private StepDelay idle(Watching<T> watching) {
    if (versions.wentBack()) {
      wantedList.want(ListReason.WENT_BACK);
    }
    Duration untilList = wantedList.untilDue();
    if (untilList.isZero()) {
      return StepDelay.NONE;
    }
    StepDelay untilWork = StepDelay.of(untilList);
    if (audit != null) {
      untilWork = audit.step().orSooner(untilList);
      if (audit.takeMismatches() > 0) {
        state.close();
        return listNext(ListReason.AUDIT, Duration.ZERO);
      }
    }
    long left = (accepted ? watching.deadline() : watching.acceptBy()) - scheduler.nanoTime();
    if (left > 0) {
      return untilWork.orSooner(Duration.ofNanos(left));
    }
    return watching.ours()
        ? watchEnded(watching)
        : failed(FeedFailure.of(Reason.TIMEOUT, "no response in time"));
  }

  private StepDelay watchEnded(Watching<T> watching) {
    Duration lived = lived(watching);
    boolean fruitless = resumeVersion.version().equals(watching.resourceVersion());
    boolean veryShort = lived.compareTo(VERY_SHORT) < 0;
    if (fruitless && veryShort) {
      return failed(
          FeedFailure.of(Reason.SERVER_ERROR, "the watch ended immediately without an event"));
    }
    failures.ended(lived.compareTo(HEALTHY) >= 0);
    problem.end("watching again");
    watching.stream().close();
    versions.wantedIf(!heard); // even an old bookmark proves that the server sends data
    if (veryShort) {
      return restFor(VERY_SHORT.minus(lived), Next.WATCH);
    }
    return openWatch();
  }

  private void change(FeedEvent.Change change) {
    listener.event(change.type());
    CachedObject<T> object = objects.read(change.json());
    if (object == null) {
      // The content of this event is lost, and later events do not restore it.
      wantedList.want(ListReason.UNREADABLE_EVENT);
      return;
    }
    switch (change.type()) {
      case ADDED -> sink.added(object);
      case MODIFIED -> sink.updated(object);
      default -> sink.deleted(object);
    }
    if (audit != null) {
      audit.touched(object.key());
    }
    heard = true;
    if (resumeVersion.advance(object)) {
      failures.progressed();
    } else {
      listener.outOfOrder();
      if (state instanceof Watching<T> watching
          && object.version() < ResumeVersion.parse(watching.resourceVersion())) {
        // The watch was requested for changes after a higher version. The server sends nothing else
        // until it reaches that version again.
        wantedList.want(ListReason.WENT_BACK);
      }
    }
  }

  private void bookmark(FeedEvent.Bookmark bookmark) {
    listener.event(FeedEvent.Type.BOOKMARK);
    heard = true;
    if (resumeVersion.isBehind(bookmark.resourceVersion())) {
      wantedList.want(ListReason.WENT_BACK); // the server sends no changes until it catches up
    } else if (!bookmark.resourceVersion().isEmpty()) {
      resumeVersion.advance(bookmark.resourceVersion());
      failures.progressed();
    }
  }

  // ---- failures

  /** Records that the server has accepted a watch or has returned a complete list. */
  private void served(String now) {
    failures.served();
    problem.end(now);
  }

  /** Closes the failed request, and determines the next request and the delay before it. */
  private StepDelay failed(FeedFailure failure) {
    ReflectorState<T> broken = state;
    broken.close();
    listener.failed(failure);
    boolean streaming = broken instanceof Listing<T> listing && listing.reader().isStreaming();
    if (streaming && !RetryPolicy.canStreamAgain(failure)) {
      plan.streamFailed(failure);
      return restFor(Duration.ZERO, Next.LIST);
    }
    boolean watching = broken instanceof Watching<T>;
    if (watching && accepted && lived((Watching<T>) broken).compareTo(HEALTHY) >= 0) {
      failures.ended(true);
    }
    failures.add(failure);
    boolean resume = watching && RetryPolicy.canResume(failure, failures.count());
    if (watching && !resume) {
      boolean expired = failure.reason() == Reason.EXPIRED;
      plan.because(expired ? ListReason.EXPIRED : ListReason.WATCH_FAILED);
      closeAudit();
    }
    versions.wantedIf(resume);
    Next next = resume ? Next.WATCH : Next.LIST;
    if (!watching && failure.reason() == Reason.EXPIRED) {
      plan.pagesExpired();
    }
    if (failure.reason() == Reason.EXPIRED && failures.isFirst()) {
      // The first expiry is routine: it requires neither a wait nor a warning.
      log.info("{}: {}", source.describe(), failure);
      return restFor(Duration.ZERO, next);
    }
    Duration delay = failures.delay(failure, random);
    problem.report(resume, failure, failures.isFirst(), delay);
    return restFor(delay, next);
  }

  private Duration lived(Watching<T> watching) {
    return Duration.ofNanos(scheduler.nanoTime() - watching.openedAt());
  }
}
