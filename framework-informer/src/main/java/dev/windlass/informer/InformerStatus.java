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
 * A snapshot of the status of an informer. Counts begin when the informer starts.
 *
 * @param type the type of the objects
 * @param source a human-readable description of what is watched and where
 * @param synced whether the cache contains the complete first list
 * @param problem why the cache is not up to date; empty if it is
 * @param objects how many objects the cache holds
 * @param bytes the size of the cached objects as JSON, in bytes
 * @param lag how long the oldest pending change has been waiting to enter the cache; zero if none
 *     is pending
 * @param watchAge the age of the open watch; empty if none is open
 * @param sinceEvent the time since the last change arrived; empty if none has
 * @param sinceBookmark the time since the last bookmark arrived; empty if none has
 * @param lists the number of list requests, by reason; all reasons except {@link ListReason#START}
 *     are relists
 * @param events how many changes and bookmarks the watches delivered, by type
 * @param failures how many requests failed, by reason
 * @param unreadable how many objects were skipped because not even their names could be read
 * @param undecodable how often a cached object did not fit its class, or a transform failed
 * @param outOfOrder how many changes had a lower resource version than a preceding one
 * @param audits how many audits were completed
 * @param auditMismatches how many cached objects differed from those on the server
 * @param indexFailures how often an index function failed
 * @param handlers the handlers, in the order in which they were added
 */
public record InformerStatus(
    ResourceType type,
    String source,
    boolean synced,
    Optional<FeedFailure> problem,
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
   * The status of a handler.
   *
   * @param name the name of the thread that calls it
   * @param synced whether the handler has handled the complete first list
   * @param backlog how many events wait for it
   * @param lag the time since the arrival of the event being handled or, if none is, of the next
   *     one
   * @param delivered how many calls have ended
   * @param failures how many of these calls ended by throwing
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

  /** Returns how many times all objects were listed again. */
  public long relists() {
    return lists.entrySet().stream()
        .filter(entry -> entry.getKey() != ListReason.START)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
