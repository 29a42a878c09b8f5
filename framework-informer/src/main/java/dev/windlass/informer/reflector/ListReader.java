// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.object.CachedObject;
import dev.windlass.object.Projection;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one list, either in pages or as a streaming list, which continues as a watch. Never returns
 * an incomplete list.
 *
 * <p>Only one thread uses this class.
 */
final class ListReader<T> implements AutoCloseable {

  /** The number of objects per page: 500 (client-go {@code pager.go}). */
  static final int PAGE = 500;

  /** The maximum time without data while a page is read: 60 s. After this time, the list fails. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  /**
   * The time after which a streaming list fails if it has delivered neither another object nor the
   * end of the list: 30 s.
   */
  static final Duration STREAM_SILENCE = Duration.ofSeconds(30);

  /**
   * The time limit of a streaming list: 10 min. The server then ends the stream, even if the list
   * is incomplete.
   */
  static final Duration STREAM_TIMEOUT = Duration.ofMinutes(10);

  /**
   * The pause after each read of a stream that delivers many objects: 5 ms. Servers write a stream
   * in chunks of 2 KB, and waking up for each chunk costs more than reading it.
   */
  static final Duration GATHER = Duration.ofMillis(5);

  /**
   * The minimum size of a streaming list for which the reader pauses between reads: 1,000 objects.
   * The data of shorter lists is read as it arrives.
   */
  static final int MANY = 1000;

  /**
   * The maximum number of events that one call to {@link #read} processes. The limit allows the
   * loop to be stopped during a long list.
   */
  private static final int BATCH = 500;

  sealed interface Outcome {

    /** No data is ready to be read. The caller can wait for up to the given time. */
    record Waiting(Duration limit) implements Outcome {}

    /** More data can be read immediately. */
    record More() implements Outcome {}

    /**
     * The list is complete.
     *
     * @param resourceVersion the list's resource version
     * @param watch the stream, which continues as a watch; null if the list was read in pages
     */
    record Complete(String resourceVersion, @Nullable FeedStream watch) implements Outcome {}

    /** The list failed. The caller must not use the reader again. */
    record Failed(FeedFailure failure) implements Outcome {}
  }

  private static final Outcome MORE = new Outcome.More();

  private final ListerWatcher source;
  private final LenientDecoder<T> objects;
  private final Projection projection;
  private final Scheduler scheduler;
  private final Runnable wakeUp;
  private final boolean streaming;
  private final int pageSize;
  private final ListInProgress<T> snapshot;
  private FeedStream stream;
  private String continueToken = "";

  /**
   * The time at which the list fails unless data arrives first, in nanoseconds of the monotonic
   * clock.
   */
  private long deadline;

  /** The time at which the current pause ends, in nanoseconds of the monotonic clock. */
  private long gatherUntil;

  /** Whether data has arrived since the last pause began. */
  private boolean brought;

  /**
   * Creates a reader and requests the list.
   *
   * @param streaming whether the list is requested as a stream
   * @param pageSize the number of objects per page; 0 for all objects in one page; ignored for a
   *     stream
   */
  ListReader(
      ListerWatcher source,
      LenientDecoder<T> objects,
      ListInProgress<T> snapshot,
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

  boolean isStreaming() {
    return streaming;
  }

  /** Returns the objects of the list. The caller must not use them before the list is complete. */
  ListInProgress<T> snapshot() {
    return snapshot;
  }

  private void heard() {
    Duration silence = streaming ? STREAM_SILENCE : SILENCE;
    deadline = scheduler.nanoTime() + silence.toNanos();
  }

  /** Reads the data that has arrived. Never blocks. */
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

  /**
   * Starts a pause of {@link #GATHER}, so that more data can arrive before the next read. If no
   * data arrives, the next read waits for data instead of pausing again.
   */
  private Outcome gather() {
    brought = false;
    gatherUntil = scheduler.nanoTime() + GATHER.toNanos();
    return new Outcome.Waiting(GATHER);
  }

  private Outcome waiting() {
    long left = deadline - scheduler.nanoTime();
    return left > 0
        ? new Outcome.Waiting(Duration.ofNanos(left))
        : failed(Reason.TIMEOUT, "no response in time");
  }

  private Outcome streamed(FeedEvent event) {
    switch (event.type()) {
      case OPENED -> heard();
      case ADDED -> {
        // Only additions postpone the deadline, because only they can be initial events. Other live
        // changes must not postpone it indefinitely.
        heard();
        CachedObject<T> object = objects.read(((FeedEvent.Change) event).json());
        if (object != null) {
          snapshot.add(object);
        }
      }
      case MODIFIED -> {
        CachedObject<T> object = objects.read(((FeedEvent.Change) event).json());
        if (object != null) {
          snapshot.change(object);
        }
      }
      case DELETED -> {
        CachedObject<T> object = objects.read(((FeedEvent.Change) event).json());
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
        return failed(Reason.TIMEOUT, "the stream ended before the list was complete");
      }
      case LISTED, LIST_END -> {
        return failed(Reason.MALFORMED, "received a list in a watch");
      }
    }
    return MORE;
  }

  private Outcome paged(FeedEvent event) {
    heard();
    switch (event.type()) {
      case OPENED -> {}
      case LISTED -> {
        CachedObject<T> object = objects.read(((FeedEvent.Change) event).json());
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
        return failed(Reason.MALFORMED, "received a watch event in a list");
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
      return failed(Reason.MALFORMED, "the server returned the same continue token twice");
    }
    stream.close();
    continueToken = next;
    stream = source.list(new ListRequest(pageSize, next, projection), wakeUp);
    return MORE;
  }

  private static Outcome failed(Reason reason, String message) {
    return new Outcome.Failed(FeedFailure.of(reason, message));
  }

  /**
   * Cancels the request. The caller must not call this method after {@link #read} has returned the
   * stream as a watch, because this method would close the watch.
   */
  @Override
  public void close() {
    stream.close();
  }
}
