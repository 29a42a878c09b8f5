// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.informer.feed.ReflectorState.Listing;
import dev.windlass.informer.feed.ReflectorState.Next;
import dev.windlass.informer.feed.ReflectorState.Resting;
import dev.windlass.informer.feed.ReflectorState.Watching;
import dev.windlass.object.CachedObject;
import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.time.Backoff;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.time.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link ChangeSink} in step with the server: lists once, then watches, resumes each watch
 * where the last one ended, and lists anew only when the server no longer knows that place.
 *
 * <p>A {@link Step} over three states, {@linkplain ReflectorState resting, listing, watching}. It
 * never ends on its own: whatever fails is tried again, after a delay that grows from 0.8 s to 30 s
 * and is spread at random so that many clients do not return together. Failures that a person must
 * cure are logged once, in one sentence, and again every two minutes.
 *
 * <p>Steps are called by one thread at a time; the accessors may be called by any.
 */
public final class Reflector<T> implements Step {

  /** Objects per page of a list: 500 (client-go {@code pager.go}). */
  static final int PAGE = 500;

  /**
   * Delays after failures: 800 ms doubled (client-go {@code reflector.go}) up to 15 s, and up to as
   * much again at random, so 30 s at most.
   */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofSeconds(15), 1.0);

  /**
   * The server ends a watch after 20 s to 30 s. Resuming costs it next to nothing, and together
   * with {@link #GRACE} it bounds how long a dead connection goes unnoticed: 45 s.
   */
  static final Duration WATCH_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration WATCH_TIMEOUT_SPREAD = Duration.ofSeconds(10);

  /** How long past its end a watch may last before its connection counts as dead. */
  static final Duration GRACE = Duration.ofSeconds(15);

  /** How long a list may bring nothing before its connection counts as dead. */
  static final Duration LIST_SILENCE = Duration.ofSeconds(60);

  /** The longest that a server may ask to be left alone; an absurd request must not be for ever. */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

  /** A watch that ends sooner and brought nothing counts as a failure (client-go: 1 s). */
  static final Duration VERY_SHORT = Duration.ofSeconds(1);

  /**
   * After this many failed resumes because of the server's trouble, the place itself is suspect.
   */
  private static final int RESUMES_BEFORE_LIST = 3;

  /** How often a failure that persists is logged. */
  static final Duration REMINDER = Duration.ofMinutes(2);

  /** Events per step, so that a busy watch does not keep the loop from being stopped. */
  private static final int BATCH = 500;

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final ObjectDecoder<T> decoder;
  private final ChangeSink<T> sink;
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final FeedListener listener;
  private final Runnable wakeUp;

  private ReflectorState<T> state;
  private String lastVersion = "";

  /** Whether the next list is asked for in one piece. */
  private boolean unpaged;

  /** Whether somebody has lost what he was given. */
  private volatile boolean listWanted;

  private int failures;

  /** What was logged last and when, and whether its end is still to be told. */
  private @Nullable Reason loggedReason;

  private long loggedAt;
  private boolean endOwed;

  /** Why the reflector is not up to date; null while it is. */
  private volatile @Nullable FeedFailure trouble;

  /**
   * A reflector that will begin with a list.
   *
   * @param random spreads delays and time-outs
   * @param wakeUp makes somebody call the next step soon; any thread may call it
   */
  public Reflector(
      ListerWatcher source,
      ObjectDecoder<T> decoder,
      ChangeSink<T> sink,
      Scheduler scheduler,
      RandomGenerator random,
      FeedListener listener,
      Runnable wakeUp) {
    this.source = source;
    this.decoder = decoder;
    this.sink = sink;
    this.scheduler = scheduler;
    this.random = random;
    this.listener = listener;
    this.wakeUp = wakeUp;
    this.state = new Resting<>(scheduler.nanoTime(), Next.LIST);
  }

  /** Why the reflector is not up to date; empty while it is. */
  public Optional<FeedFailure> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** Closes the open request, if there is one. No step may follow. */
  public void close() {
    close(state);
  }

  private void close(ReflectorState<T> open) {
    if (open instanceof Listing<T> listing) {
      listing.stream().close();
    } else if (open instanceof Watching<T> watching) {
      watching.stream().close();
    }
  }

  @Override
  public Pause run() {
    try {
      return step();
    } catch (RuntimeException | Error e) {
      startOver(e);
      throw e;
    }
  }

  /** A step that broke off may have lost events, and only a list makes up for that. */
  private void startOver(Throwable why) {
    trouble = FeedFailure.of(Reason.OTHER, "the reflector failed: " + why.getClass().getName());
    failures++;
    Duration delay = BACKOFF.delay(failures - 1, random);
    ReflectorState<T> broken = state;
    state = new Resting<>(scheduler.nanoTime() + delay.toNanos(), Next.LIST);
    close(broken); // last: should it be the closing that fails, it must not be tried for ever
  }

  /** Asks for a list, because what the sink was given got lost. Any thread may call it. */
  public void requestList() {
    listWanted = true;
    wakeUp.run();
  }

  private Pause step() {
    if (listWanted && state instanceof Watching<T>) {
      listWanted = false;
      close();
      state = new Resting<>(scheduler.nanoTime(), Next.LIST);
    }
    if (state instanceof Resting<T> resting) {
      return rest(resting);
    } else if (state instanceof Listing<T> listing) {
      return list(listing);
    } else {
      return watch((Watching<T>) state);
    }
  }

  private Pause rest(Resting<T> resting) {
    long left = resting.until() - scheduler.nanoTime();
    if (left > 0) {
      return Pause.of(Duration.ofNanos(left));
    }
    state = resting.next() == Next.LIST ? openList("", new ArrayList<>()) : openWatch();
    return Pause.NONE;
  }

  private ReflectorState<T> openList(String continueToken, List<CachedObject<T>> objects) {
    FeedStream stream = source.list(new ListRequest(unpaged ? 0 : PAGE, continueToken), wakeUp);
    return new Listing<>(stream, objects, scheduler.nanoTime() + LIST_SILENCE.toNanos());
  }

  private ReflectorState<T> openWatch() {
    long spread = (long) (WATCH_TIMEOUT_SPREAD.toNanos() * random.nextDouble());
    Duration timeout = WATCH_TIMEOUT.plusNanos(spread);
    listener.watching(lastVersion);
    FeedStream stream = source.watch(new WatchRequest(lastVersion, timeout), wakeUp);
    long now = scheduler.nanoTime();
    long deadline = now + timeout.plus(GRACE).toNanos();
    return new Watching<>(stream, lastVersion, now, deadline);
  }

  private Pause list(Listing<T> listing) {
    for (int i = 0; i < BATCH; i++) {
      Optional<FeedEvent> next = listing.stream().poll();
      if (next.isEmpty()) {
        return untilDeadline(i > 0 ? heard(listing).deadline() : listing.deadline());
      }
      FeedEvent event = next.get();
      switch (event.type()) {
        case OPENED -> {}
        case LISTED -> decode(((FeedEvent.Listed) event).json(), listing.objects()::add);
        case LIST_END -> {
          return pageEnded(listing, (FeedEvent.ListEnd) event);
        }
        case FAILED -> {
          return failed(((FeedEvent.Failed) event).failure());
        }
        case ADDED, MODIFIED, DELETED, BOOKMARK, ENDED -> {
          return failed(FeedFailure.of(Reason.MALFORMED, "a watch event in a list"));
        }
      }
    }
    heard(listing);
    return Pause.NONE;
  }

  /** Something has arrived, so the silence begins anew. */
  private Listing<T> heard(Listing<T> listing) {
    long deadline = scheduler.nanoTime() + LIST_SILENCE.toNanos();
    Listing<T> next = new Listing<>(listing.stream(), listing.objects(), deadline);
    state = next;
    return next;
  }

  private Pause pageEnded(Listing<T> listing, FeedEvent.ListEnd end) {
    listing.stream().close();
    if (!end.continueToken().isEmpty()) {
      state = openList(end.continueToken(), listing.objects());
      return Pause.NONE;
    }
    lastVersion = end.resourceVersion();
    unpaged = false;
    listWanted = false;
    sink.replace(listing.objects());
    listener.listed(listing.objects().size());
    upToDate();
    state = openWatch();
    return Pause.NONE;
  }

  private Pause watch(Watching<T> watching) {
    for (int i = 0; i < BATCH; i++) {
      Optional<FeedEvent> next = watching.stream().poll();
      if (next.isEmpty()) {
        return untilDeadline(watching.deadline());
      }
      FeedEvent event = next.get();
      switch (event.type()) {
        case OPENED -> upToDate();
        case ADDED -> change(((FeedEvent.Added) event).json(), sink::added);
        case MODIFIED -> change(((FeedEvent.Modified) event).json(), sink::updated);
        case DELETED -> change(((FeedEvent.Deleted) event).json(), sink::deleted);
        case BOOKMARK -> advance(((FeedEvent.Bookmark) event).resourceVersion());
        case ENDED -> {
          return watchEnded(watching);
        }
        case FAILED -> {
          return failed(((FeedEvent.Failed) event).failure());
        }
        case LISTED, LIST_END -> {
          return failed(FeedFailure.of(Reason.MALFORMED, "a list in a watch"));
        }
      }
    }
    return Pause.NONE;
  }

  private Pause watchEnded(Watching<T> watching) {
    long lived = scheduler.nanoTime() - watching.openedAt();
    boolean fruitless = lastVersion.equals(watching.resourceVersion());
    if (fruitless && lived < VERY_SHORT.toNanos()) {
      return failed(
          FeedFailure.of(Reason.SERVER_ERROR, "the watch ended at once and brought nothing"));
    }
    failures = 0;
    upToDate();
    watching.stream().close();
    state = openWatch();
    return Pause.NONE;
  }

  private interface Taker<T> {
    void take(CachedObject<T> object);
  }

  private void change(FeedEvent.Json json, Taker<T> taker) {
    decode(
        json,
        object -> {
          taker.take(object);
          advance(object.resourceVersion());
        });
  }

  /** Notes the place from which the next watch goes on. A watch that gets somewhere is healthy. */
  private void advance(String resourceVersion) {
    if (!resourceVersion.isEmpty()) {
      lastVersion = resourceVersion;
      failures = 0;
    }
  }

  private void decode(FeedEvent.Json json, Taker<T> taker) {
    CachedObject<T> object;
    try {
      object = json.decode(decoder);
    } catch (MalformedObjectException e) {
      // Nobody could name it, so nobody waits for it; the others must not suffer.
      String why = String.valueOf(e.getMessage());
      log.warn("Left out of {}: {}", source.describe(), why);
      listener.skipped(why);
      return;
    }
    taker.take(object);
  }

  private Pause untilDeadline(long deadline) {
    long left = deadline - scheduler.nanoTime();
    return left > 0
        ? Pause.of(Duration.ofNanos(left))
        : failed(FeedFailure.of(Reason.TIMEOUT, "no answer in time"));
  }

  /** Closes the request and decides when to try what again. */
  private Pause failed(FeedFailure failure) {
    boolean listing = state instanceof Listing<T>;
    close();
    listener.failed(failure);
    failures++;
    Next next = listing || !canResume(failure) ? Next.LIST : Next.WATCH;
    // Pages that expire while they are read would expire again; the whole in one answer can't.
    unpaged |= listing && failure.reason() == Reason.EXPIRED;
    if (failure.reason() == Reason.EXPIRED && failures == 1) {
      // Everyday business: the first time, there is nothing to wait for or to tell people.
      log.info("{}: {}", source.describe(), failure);
      state = new Resting<>(scheduler.nanoTime(), next);
      return Pause.NONE;
    }
    Duration asked = shorter(failure.retryAfter(), LONGEST_RETRY_AFTER);
    Duration delay = longer(BACKOFF.delay(failures - 1, random), asked);
    report(failure, next, delay);
    state = new Resting<>(scheduler.nanoTime() + delay.toNanos(), next);
    return Pause.of(delay);
  }

  private boolean canResume(FeedFailure failure) {
    return switch (failure.reason()) {
      case UNREACHABLE, TIMEOUT, THROTTLED, FORBIDDEN, UNAUTHORIZED -> true;
      // A version from before a restored backup is answered with 5xx for ever.
      case SERVER_ERROR -> failures < RESUMES_BEFORE_LIST;
      case EXPIRED, UNKNOWN_TYPE, MALFORMED, OTHER -> false;
    };
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private void report(FeedFailure failure, Next next, Duration delay) {
    trouble = failure;
    // Lists that succeed between watches that fail are no reason to tell the same each time.
    boolean news = failures == 1 || loggedReason != failure.reason();
    long now = scheduler.nanoTime();
    if (news || now - loggedAt >= REMINDER.toNanos()) {
      loggedReason = failure.reason();
      loggedAt = now;
      endOwed = true;
      log.warn(
          "Can't {} {}: {} Next try in {} s.",
          next == Next.LIST ? "list" : "watch",
          source.describe(),
          failure,
          "%.1f".formatted(delay.toMillis() / 1000.0));
    } else {
      log.debug("{}: {} (failure {})", source.describe(), failure, failures);
    }
  }

  private void upToDate() {
    FeedFailure past = trouble;
    if (past != null) {
      trouble = null;
    }
    if (past != null && endOwed) {
      endOwed = false;
      log.info("{}: up to date again after {}", source.describe(), past.reason());
    }
  }
}
