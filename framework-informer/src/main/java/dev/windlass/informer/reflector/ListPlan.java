// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import dev.windlass.scheduling.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines how the next list is read, and stores the reason for it. A list is read as a stream if
 * the source supports streaming lists and the server has not rejected them. Otherwise, it is read
 * in pages. If a list expires before all pages have been read, the next list is read as a single
 * page.
 *
 * <p>Only the reflector's thread uses this class.
 */
final class ListPlan<T> {

  /**
   * The number of consecutive time-outs of streaming lists after which all further lists are read
   * in pages: 2. A bad connection can cause a single time-out. Repeated time-outs indicate a server
   * that never completes its streams.
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
   * Whether the next list is read in pages even if the source supports streaming lists. {@link
   * #pagesAlways} has the same effect on all further lists.
   */
  private boolean pagesNext;

  private boolean pagesAlways;

  /** The number of consecutive streaming lists that timed out. */
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

  void because(ListReason why) {
    reason = why;
  }

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
   * Records that a streaming list failed. The next list is read in pages, because a server that
   * rejects streaming lists can often still serve pages. After an invalid request or repeated
   * time-outs, all further lists are read in pages.
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
   * Records that a list expired before all pages were read. The next list that is not streamed is
   * requested as a single page, which cannot expire.
   */
  void pagesExpired() {
    unpaged = true;
  }

  void streamComplete() {
    timeouts = 0;
    reported = false;
  }

  void pagesComplete() {
    unpaged = false;
    reported = false;
  }
}
