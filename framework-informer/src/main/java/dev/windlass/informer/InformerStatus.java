// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of an informer's status. All counts start at zero when the informer starts.
 *
 * @param type the objects' type
 * @param source a human-readable description of the watched objects and their server
 * @param synced whether the cache has received the complete initial list
 * @param problem the reason why the cache is not up to date; empty if it is up to date
 * @param objects the number of objects in the cache
 * @param bytes the size of the cached objects as JSON, in bytes
 * @param lag the age of the oldest change that has been received but not yet applied to the cache;
 *     zero if there is none
 * @param watchAge the age of the open watch; empty if no watch is open
 * @param sinceEvent the time since the last change arrived; empty if no change has arrived
 * @param sinceBookmark the time since the last bookmark arrived; empty if no bookmark has arrived
 * @param lists the number of list requests, by reason; lists for all reasons except {@link
 *     ListReason#START} are relists
 * @param watches the number of watches that were opened or reopened
 * @param events the number of changes and bookmarks that the watches delivered, by type
 * @param failures the number of failed requests, by reason
 * @param unreadable the number of objects that were skipped because they could not be parsed
 * @param undecodable the number of failures to decode a cached object into its class or to apply a
 *     transform
 * @param outOfOrder the number of changes with a lower resource version than a preceding change
 * @param audits the number of completed audits
 * @param auditMismatches the number of differences between cache and server that audits have found
 * @param indexFailures the number of failed calls to index functions
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
    long watches,
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
   * A handler's status.
   *
   * @param name the name of the handler's thread
   * @param synced whether the handler has handled the complete initial list
   * @param backlog the number of pending events, without the event being handled
   * @param lag the age of the event being handled. If no event is being handled, the age of the
   *     next pending event, or zero if there is none
   * @param delivered the number of completed calls to the handler, including failed calls
   * @param failures the number of calls to the handler that threw an exception
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

  /**
   * The most recent list request of an informer.
   *
   * @param reason the reason for the list
   * @param ago the time since the list began
   */
  public record LastList(ListReason reason, Duration ago) {}

  /** Returns the number of relists, that is, lists after the initial list. */
  public long relists() {
    return lists.entrySet().stream()
        .filter(entry -> entry.getKey() != ListReason.START)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
