// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import dev.windlass.scheduling.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the reason for the next list and how to read the list: as a stream if the source
 * supports streams, in pages if the server has rejected streams, and in one piece if pages expire
 * before all of them have been read.
 *
 * <p>Only the reflector's thread uses this class.
 */
final class ListPlan<T> {

  /**
   * The number of consecutive streams that time out before all further lists are read in pages: 2.
   * The connection may have caused a single time-out, whereas a server that never completes its
   * streams causes repeated time-outs.
   */
  private static final int TIMEOUTS_BEFORE_PAGES = 2;

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final LenientDecoder<T> objects;
  private final Projection projection;
  private final KnownObjects<T> known;
  private final Scheduler scheduler;
  private final FeedListener listener;
  private final Runnable wakeUp;

  private ListReason reason = ListReason.START;

  /**
   * Whether the next list is read in pages although streams are possible. {@link #pagesAlways}
   * applies to all further lists.
   */
  private boolean pagesNext;

  private boolean pagesAlways;

  /** The number of consecutive streams that timed out. */
  private int timeouts;

  /** Whether the failure of a streaming list has been logged since the last complete list. */
  private boolean reported;

  /** Whether the next list that is not streamed is requested as a single page. */
  private boolean unpaged;

  ListPlan(
      ListerWatcher source,
      LenientDecoder<T> objects,
      ObjectDecoder<T> decoder,
      KnownObjects<T> known,
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

  /** Sets the reason for the next list. */
  void because(ListReason why) {
    reason = why;
  }

  /** Requests the next list. */
  ListReader<T> open() {
    boolean streaming = source.streamsLists() && !pagesNext && !pagesAlways;
    pagesNext = false;
    listener.listing(reason, streaming);
    return new ListReader<>(
        source,
        objects,
        new ListInProgress<>(known),
        projection,
        scheduler,
        wakeUp,
        streaming,
        unpaged ? 0 : ListReader.PAGE);
  }

  /**
   * Responds to the failure of a streaming list: the next list is read in pages, because a server
   * that rejects streaming lists can often still serve pages.
   */
  void streamFailed(FeedFailure failure) {
    pagesNext = true;
    timeouts = failure.reason() == Reason.TIMEOUT ? timeouts + 1 : 0;
    pagesAlways |= failure.reason() == Reason.INVALID || timeouts >= TIMEOUTS_BEFORE_PAGES;
    listener.streamRefused(failure);
    boolean alsoForPages =
        failure.reason() == Reason.UNKNOWN_TYPE || failure.reason() == Reason.FORBIDDEN;
    if (!reported && !alsoForPages) { // otherwise the failure of the pages is logged
      log.info(
          "{}: failed to stream the list, reading pages instead: {}", source.describe(), failure);
      reported = true;
    }
  }

  /**
   * Responds to the expiry of a list in pages: the next list that is not streamed is requested as a
   * single response, because further pages would expire again, whereas a single response cannot
   * expire.
   */
  void pagesExpired() {
    unpaged = true;
  }

  /** Records that a streamed list was complete. */
  void streamComplete() {
    timeouts = 0;
    reported = false;
  }

  /** Records that a list in pages was complete. */
  void pagesComplete() {
    unpaged = false;
    reported = false;
  }
}
