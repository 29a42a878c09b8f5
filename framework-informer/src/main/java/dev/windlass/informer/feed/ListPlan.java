// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import dev.windlass.time.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the next list is to be read, and why: as a stream if the source can do that, in pages if that
 * was refused, in one piece if pages expire while they are read.
 *
 * <p>Used by the reflector's thread.
 */
final class ListPlan<T> {

  /** Once may be the connection's fault; a server that fails to end its streams does it again. */
  private static final int TIMEOUTS_BEFORE_PAGES = 2;

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final ReadableObjects<T> objects;
  private final Projection projection;
  private final KnownState<T> known;
  private final Scheduler scheduler;
  private final FeedListener listener;
  private final Runnable wakeUp;

  private ListReason reason = ListReason.START;

  /** Whether the next list is read in pages though it could be streamed; and all further ones. */
  private boolean pagesNext;

  private boolean pagesAlways;

  /** Streams in a row that did not get to their end in time. */
  private int timeouts;

  /** Whether the log says that a streaming list has failed; until a list is complete. */
  private boolean told;

  /** Whether the next list in pages is asked for in one piece. */
  private boolean unpaged;

  ListPlan(
      ListerWatcher source,
      ReadableObjects<T> objects,
      ObjectDecoder<T> decoder,
      KnownState<T> known,
      ReflectorOptions options,
      Runnable wakeUp) {
    this.source = source;
    this.objects = objects;
    this.projection = decoder.codec().projection();
    this.known = known;
    this.scheduler = options.scheduler();
    this.listener = options.listener();
    this.wakeUp = wakeUp;
  }

  /** Says why there will be a list. */
  void because(ListReason why) {
    reason = why;
  }

  /** Asks for the list. */
  ListReader<T> open() {
    boolean streaming = source.streamsLists() && !pagesNext && !pagesAlways;
    pagesNext = false;
    listener.listing(reason, streaming);
    return new ListReader<>(
        source,
        objects,
        new Snapshot<>(known),
        projection,
        scheduler,
        wakeUp,
        streaming,
        unpaged ? 0 : ListReader.PAGE);
  }

  /** Whatever the server has against a streaming list, it may have nothing against pages. */
  void streamFailed(FeedFailure failure) {
    pagesNext = true;
    timeouts = failure.reason() == Reason.TIMEOUT ? timeouts + 1 : 0;
    pagesAlways |= failure.reason() == Reason.INVALID || timeouts >= TIMEOUTS_BEFORE_PAGES;
    listener.streamRefused(failure);
    if (!told) {
      log.info("{}: no streaming list, reading pages instead: {}", source.describe(), failure);
    }
    told = true;
  }

  /** Pages that expire while they are read would expire again; the whole in one answer can't. */
  void pagesExpired() {
    unpaged = true;
  }

  /** A list that was streamed was complete. */
  void streamComplete() {
    timeouts = 0;
    told = false;
  }

  /** A list in pages was complete. */
  void pagesComplete() {
    unpaged = false;
    told = false;
  }
}
