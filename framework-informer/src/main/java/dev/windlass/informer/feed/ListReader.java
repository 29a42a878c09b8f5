// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.object.CachedObject;
import dev.windlass.object.Projection;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one list: as a stream of initial events that turns into a watch, or page by page. Half a
 * list is never handed out.
 *
 * <p>Used by one thread.
 */
final class ListReader<T> implements AutoCloseable {

  /** Objects per page: 500 (client-go {@code pager.go}). */
  static final int PAGE = 500;

  /** How long a page may bring nothing before its connection counts as dead. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  /** How long a stream may bring no object, nor its end, before it is given up. */
  static final Duration STREAM_SILENCE = Duration.ofSeconds(30);

  /** After this the server ends a stream, be the list complete or not. */
  static final Duration STREAM_TIMEOUT = Duration.ofMinutes(10);

  /**
   * How long a stream that brings many objects is left alone after each look at it. Servers write
   * it in pieces of 2 KB, and to be woken for each of them costs more than to read it.
   */
  static final Duration GATHER = Duration.ofMillis(5);

  /** From how many objects on a list has that: 1,000. Shorter ones are read as they come. */
  static final int MANY = 1000;

  /** Events per call, so that a long list does not keep the loop from being stopped. */
  private static final int BATCH = 500;

  /** What a call of {@link #read} has come to. */
  sealed interface Outcome {

    /** Nothing more has arrived; it is worth while to wait that long. */
    record Waiting(Duration limit) implements Outcome {}

    /** There is more to read. */
    record More() implements Outcome {}

    /**
     * The list is complete.
     *
     * @param watch what goes on with the changes after it; null after pages
     */
    record Complete(String resourceVersion, @Nullable FeedStream watch) implements Outcome {}

    /** The list failed, and the reader is of no more use. */
    record Failed(FeedFailure failure) implements Outcome {}
  }

  private static final Outcome MORE = new Outcome.More();

  private final ListerWatcher source;
  private final ReadableObjects<T> objects;
  private final Projection projection;
  private final Scheduler scheduler;
  private final Runnable wakeUp;
  private final boolean streaming;
  private final int pageSize;
  private final Snapshot<T> snapshot;
  private FeedStream stream;
  private String continueToken = "";

  /** When to give up, unless something arrives before. */
  private long deadline;

  /** Until when the stream is left alone. */
  private long gatherUntil;

  /** Whether anything has come since. */
  private boolean brought;

  /**
   * Asks for a list.
   *
   * @param streaming whether as a stream
   * @param pageSize 0 for all in one page; of no meaning to a stream
   */
  ListReader(
      ListerWatcher source,
      ReadableObjects<T> objects,
      Snapshot<T> snapshot,
      Projection projection,
      Scheduler scheduler,
      Runnable wakeUp,
      boolean streaming,
      int pageSize) {
    this.source = source;
    this.objects = objects;
    this.snapshot = snapshot;
    this.projection = projection;
    this.scheduler = scheduler;
    this.wakeUp = wakeUp;
    this.streaming = streaming;
    this.pageSize = pageSize;
    this.stream =
        streaming
            ? source.watch(new WatchRequest("", STREAM_TIMEOUT, true, projection), wakeUp)
            : source.list(new ListRequest(pageSize, "", projection), wakeUp);
    this.gatherUntil = scheduler.nanoTime();
    heard();
  }

  /** Whether the list comes as a stream. */
  boolean isStreaming() {
    return streaming;
  }

  /** The objects, once the list is complete. */
  Snapshot<T> snapshot() {
    return snapshot;
  }

  private void heard() {
    Duration silence = streaming ? STREAM_SILENCE : SILENCE;
    deadline = scheduler.nanoTime() + silence.toNanos();
  }

  /** Reads what has arrived. Never waits. */
  Outcome read() {
    long left = gatherUntil - scheduler.nanoTime();
    if (left > 0) {
      return new Outcome.Waiting(Duration.ofNanos(left));
    }
    for (int i = 0; i < BATCH; i++) {
      Optional<FeedEvent> event = stream.poll();
      if (event.isEmpty()) {
        return brought && streaming && snapshot.size() >= MANY ? gather() : waiting();
      }
      brought = true;
      Outcome outcome = streaming ? streamed(event.get()) : paged(event.get());
      if (outcome != MORE) {
        return outcome;
      }
    }
    return MORE;
  }

  /** Something came, and more is likely to come. If it does not, the next look waits for it. */
  private Outcome gather() {
    brought = false;
    gatherUntil = scheduler.nanoTime() + GATHER.toNanos();
    return new Outcome.Waiting(GATHER);
  }

  private Outcome waiting() {
    long left = deadline - scheduler.nanoTime();
    return left > 0
        ? new Outcome.Waiting(Duration.ofNanos(left))
        : failed(Reason.TIMEOUT, "no answer in time");
  }

  private Outcome streamed(FeedEvent event) {
    switch (event.type()) {
      case OPENED -> heard();
      case ADDED -> {
        // Only these may be initial events; live changes must not put the end off for ever.
        heard();
        CachedObject<T> object = objects.read(((FeedEvent.Added) event).json());
        if (object != null) {
          snapshot.add(object);
        }
      }
      case MODIFIED -> {
        CachedObject<T> object = objects.read(((FeedEvent.Modified) event).json());
        if (object != null) {
          snapshot.change(object);
        }
      }
      case DELETED -> {
        CachedObject<T> object = objects.read(((FeedEvent.Deleted) event).json());
        if (object != null) {
          snapshot.remove(object);
        }
      }
      case BOOKMARK -> {
        FeedEvent.Bookmark bookmark = (FeedEvent.Bookmark) event;
        if (bookmark.initialEventsEnd()) {
          return new Outcome.Complete(bookmark.resourceVersion(), stream);
        }
      }
      case FAILED -> {
        return new Outcome.Failed(((FeedEvent.Failed) event).failure());
      }
      case ENDED -> {
        return failed(Reason.TIMEOUT, "the stream ended before the list did");
      }
      case LISTED, LIST_END -> {
        return failed(Reason.MALFORMED, "a list in a watch");
      }
    }
    return MORE;
  }

  private Outcome paged(FeedEvent event) {
    heard();
    switch (event.type()) {
      case OPENED -> {}
      case LISTED -> {
        CachedObject<T> object = objects.read(((FeedEvent.Listed) event).json());
        if (object != null) {
          snapshot.add(object);
        }
      }
      case LIST_END -> {
        return pageEnded((FeedEvent.ListEnd) event);
      }
      case FAILED -> {
        return new Outcome.Failed(((FeedEvent.Failed) event).failure());
      }
      case ADDED, MODIFIED, DELETED, BOOKMARK, ENDED -> {
        return failed(Reason.MALFORMED, "a watch event in a list");
      }
    }
    return MORE;
  }

  private Outcome pageEnded(FeedEvent.ListEnd end) {
    String next = end.continueToken();
    if (next.isEmpty()) {
      stream.close();
      return new Outcome.Complete(end.resourceVersion(), null);
    }
    if (next.equals(continueToken)) {
      return failed(Reason.MALFORMED, "a page that is followed by itself");
    }
    stream.close();
    continueToken = next;
    stream = source.list(new ListRequest(pageSize, next, projection), wakeUp);
    return MORE;
  }

  private static Outcome failed(Reason reason, String message) {
    return new Outcome.Failed(FeedFailure.of(reason, message));
  }

  /** Ends the request, unless it was handed out as a watch. */
  @Override
  public void close() {
    stream.close();
  }
}
