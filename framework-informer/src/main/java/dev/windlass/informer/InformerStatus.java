// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedEvent;
import dev.windlass.informer.feed.FeedFailure;
import dev.windlass.informer.feed.ListReason;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an informer is, at one moment. Counts are of the time since it was started.
 *
 * @param type of the objects
 * @param source what is watched and where, for people
 * @param synced whether the copy holds at least what the first list held
 * @param trouble why the copy is not up to date; empty while it is
 * @param objects how many objects the copy holds
 * @param bytes how many bytes of JSON it holds for them
 * @param lag how long the change that waits longest has been waiting to get into the copy; zero if
 *     none waits
 * @param watchAge how old the open watch is; empty if none is open
 * @param sinceEvent when the last change arrived; empty if none has
 * @param sinceBookmark when the last bookmark arrived; empty if none has
 * @param lists how many lists were asked for, by reason; all but {@link ListReason#START} are
 *     relists
 * @param events how many changes and bookmarks watches brought, by type
 * @param failures how many requests failed, by reason
 * @param unreadable how many objects were left out because they are none
 * @param undecodable how often an object did not fit its class, or a transform failed on one
 * @param outOfOrder how many changes came with a lower version than one before
 * @param audits how many audits were made
 * @param auditMismatches how many objects they found to differ
 * @param indexFailures how often an index function failed
 * @param handlers the handlers, in the order in which they were added
 */
public record InformerStatus(
    ResourceType type,
    String source,
    boolean synced,
    Optional<FeedFailure> trouble,
    int objects,
    long bytes,
    Duration lag,
    Optional<Duration> watchAge,
    Optional<Duration> sinceEvent,
    Optional<Duration> sinceBookmark,
    Map<ListReason, Long> lists,
    Map<FeedEvent.Type, Long> events,
    Map<FeedFailure.Reason, Long> failures,
    long unreadable,
    long undecodable,
    long outOfOrder,
    long audits,
    long auditMismatches,
    long indexFailures,
    List<HandlerStatus> handlers) {

  /**
   * How a handler is.
   *
   * @param name of the thread that calls it
   * @param synced whether it has handled all that the first list held
   * @param backlog how many events wait for it
   * @param lag how long the event that it handles, or has to handle next, has been there
   * @param delivered how many calls have ended
   * @param failures how many of them by throwing
   */
  public record HandlerStatus(
      String name, boolean synced, int backlog, Duration lag, long delivered, long failures) {

    static HandlerStatus of(HandlerRegistration handler) {
      return new HandlerStatus(
          handler.name(),
          handler.hasSynced(),
          handler.backlog(),
          handler.lag(),
          handler.delivered(),
          handler.failures());
    }
  }

  /** How many times everything was listed again. */
  public long relists() {
    return lists.entrySet().stream()
        .filter(entry -> entry.getKey() != ListReason.START)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
