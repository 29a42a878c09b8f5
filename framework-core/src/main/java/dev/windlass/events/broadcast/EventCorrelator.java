// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.events.broadcast.EventSeriesKey.Subject;
import dev.windlass.events.broadcast.OpenSeries.Outgoing;
import dev.windlass.time.Pause;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Groups events into series, and decides when to report them to the server.
 *
 * <p>A repetition within {@link #END} increases the count of its Event. Counts are kept here and
 * reported when the allowance of the object permits, so a repetition is never lost, and thousands
 * of repetitions require only a few requests. The allowance is a burst of 25 requests and then one
 * request in 5 minutes per object (client-go {@code events_cache.go}); only a new event for which
 * there is no allowance is dropped. The last count is always reported at the end of a series.
 *
 * <p>Warnings are sent before Normal events, and a Warning for which there is no room replaces the
 * latest pending Normal event.
 *
 * <p>Bounded: at most {@link #CAPACITY} events are pending, and at most {@link #REMEMBERED} series
 * are open. If another series must be opened, the least recently repeated one ends. It is
 * remembered for {@link #SUPPRESSED} that the server has the Event of a series that ended for lack
 * of room. Its repetitions are no longer counted, but they create no new Events either; otherwise,
 * an idle cluster with more objects than series would receive an Event for each object at each
 * resync. All times are monotonic nanoseconds that the caller passes. Thread safe.
 */
final class EventCorrelator {

  /** The maximum number of pending events. */
  static final int CAPACITY = 10_000;

  /** The maximum number of open series (client-go: 4096). */
  static final int REMEMBERED = 4096;

  /**
   * The maximum number of objects with an allowance, and of remembered series that ended for lack
   * of room.
   */
  static final int OBJECTS = 65_536;

  /** How long repetitions of a series that ended for lack of room create no new Event: 30 min. */
  static final Duration SUPPRESSED = Duration.ofMinutes(30);

  /**
   * The time without a repetition after which a series ends (client-go {@code tools/events}: 6
   * min).
   */
  static final Duration END = Duration.ofMinutes(6);

  /** How often counts that could not be reported are checked again. */
  static final Duration SWEEP = Duration.ofSeconds(30);

  @GuardedBy("this")
  private final EventLimiter<Subject> perObject =
      new EventLimiter<>(25, Duration.ofMinutes(5), OBJECTS);

  /** The open series, in the order of their last occurrence. */
  @GuardedBy("this")
  private final Map<EventSeriesKey, OpenSeries> open = new LinkedHashMap<>(16, 0.75f, true);

  /** The series to send, without duplicates; Warnings are sent before others. */
  @GuardedBy("this")
  private final ArrayDeque<OpenSeries> warnings = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<OpenSeries> others = new ArrayDeque<>();

  /** The series that is being sent. */
  @GuardedBy("this")
  private @Nullable OpenSeries sending;

  /** The times at which series ended for lack of room, by the hash of their key. */
  @GuardedBy("this")
  private final Map<Integer, Long> crowdedOut =
      new LinkedHashMap<>(16, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
          return size() > OBJECTS;
        }
      };

  /** The series whose count must wait for an allowance. */
  @GuardedBy("this")
  private final Set<OpenSeries> late = new LinkedHashSet<>();

  @GuardedBy("this")
  private long sweepAt;

  @GuardedBy("this")
  private long dropped;

  /** The number of occurrences that were dropped for lack of room. */
  @GuardedBy("this")
  private long crowded;

  /** Adds an occurrence. If it opens a series, {@code event} is the Event to create. */
  synchronized void add(EventSeriesKey key, Event event, long now) {
    OpenSeries known = open.get(key);
    if (known != null && now - known.lastAt() <= END.toNanos()) {
      known.repeat(event.getEventTime(), now);
      reportWhenAllowed(known, now);
      return;
    }
    if (known != null) {
      end(known);
    }
    OpenSeries begun = new OpenSeries(key, event, now);
    if (!begun.isWarning() && wasReported(key, now)) {
      return;
    }
    if (!hasRoomFor(begun)) {
      dropped++;
      crowded++;
      return;
    }
    if (!perObject.tryTake(key.regarding(), now)) {
      dropped++;
      return;
    }
    open.put(key, begun);
    enqueue(begun);
    if (open.size() > REMEMBERED) {
      OpenSeries oldest = open.values().iterator().next();
      end(oldest);
      if (now - oldest.lastAt() <= END.toNanos()) {
        crowdedOut.put(oldest.key().hashCode(), now);
      }
    }
  }

  /** Returns whether the server has an Event of a series that ended only for lack of room. */
  @GuardedBy("this")
  private boolean wasReported(EventSeriesKey key, long now) {
    Long since = crowdedOut.get(key.hashCode());
    if (since == null) {
      return false;
    }
    if (now - since <= SUPPRESSED.toNanos()) {
      return true;
    }
    crowdedOut.remove(key.hashCode());
    return false;
  }

  /**
   * Returns whether there is room; if not, makes room for a Warning by removing the latest pending
   * Normal event.
   */
  @GuardedBy("this")
  private boolean hasRoomFor(OpenSeries series) {
    if (warnings.size() + others.size() < CAPACITY) {
      return true;
    }
    OpenSeries last = others.peekLast();
    if (!series.isWarning() || last == null || last == sending) {
      return false;
    }
    others.removeLast();
    last.queued = false;
    forget(last);
    crowded += last.unreported();
    return true;
  }

  /** Stops reporting the series to the server; its next occurrence starts a new series. */
  @GuardedBy("this")
  private void forget(OpenSeries series) {
    dropped += series.unreported();
    if (series.open) {
      series.open = false;
      open.remove(series.key());
    }
  }

  @GuardedBy("this")
  private void reportWhenAllowed(OpenSeries series, long now) {
    if (series.queued || late.contains(series)) {
      return;
    }
    if (!series.open || perObject.tryTake(series.key().regarding(), now)) {
      enqueue(series);
      return;
    }
    if (late.isEmpty()) {
      sweepAt = now + SWEEP.toNanos();
    }
    late.add(series);
  }

  /** Ends the series: further repetitions do not count, and an unreported count is reported now. */
  @GuardedBy("this")
  private void end(OpenSeries series) {
    open.remove(series.key());
    series.open = false;
    if (late.remove(series)) {
      enqueue(series);
    }
  }

  @GuardedBy("this")
  private void enqueue(OpenSeries series) {
    series.queued = true;
    queueOf(series).add(series);
  }

  @GuardedBy("this")
  private ArrayDeque<OpenSeries> queueOf(OpenSeries series) {
    return series.isWarning() ? warnings : others;
  }

  /**
   * Handles the counts that wait for an allowance, if it is time.
   *
   * @return when to call this again
   */
  synchronized Pause sweep(long now) {
    if (late.isEmpty()) {
      return Pause.UNTIL_WOKEN;
    }
    if (now - sweepAt >= 0) {
      sweepAt = now + SWEEP.toNanos();
      for (OpenSeries series : List.copyOf(late)) {
        if (now - series.lastAt() > END.toNanos()) {
          end(series);
        } else if (perObject.tryTake(series.key().regarding(), now)) {
          late.remove(series);
          enqueue(series);
        }
      }
    }
    return late.isEmpty() ? Pause.UNTIL_WOKEN : Pause.of(Duration.ofNanos(sweepAt - now));
  }

  /** Queues every count to be reported now. */
  synchronized void flush() {
    late.forEach(this::enqueue);
    late.clear();
  }

  /**
   * Returns what to send next, or null if nothing is pending. The result stays the same until the
   * outcome is reported.
   */
  synchronized @Nullable Outgoing next() {
    OpenSeries first = warnings.isEmpty() ? others.peek() : warnings.peek();
    sending = first;
    return first == null ? null : first.outgoing();
  }

  /** Reports that the server has stored this many occurrences of the last {@link #next}. */
  synchronized void sent(Outgoing sent, int occurrences, long now) {
    OpenSeries series = poll(sent);
    series.reported(occurrences);
    if (series.unreported() > 0) {
      reportWhenAllowed(series, now);
    }
  }

  /**
   * Reports that the server no longer has the Event of the last {@link #next}, which is created
   * again under a new name.
   */
  synchronized void gone(Outgoing sent, String name) {
    sent.series().recreate(name);
  }

  /**
   * Reports that the server does not accept the last {@link #next}; the next occurrence starts a
   * new series.
   */
  synchronized void failed(Outgoing sent) {
    forget(poll(sent));
  }

  /** Drops all pending events. */
  synchronized void clear() {
    flush();
    warnings.forEach(series -> dropped += series.unreported());
    others.forEach(series -> dropped += series.unreported());
    warnings.clear();
    others.clear();
    open.clear();
    sending = null;
  }

  /** Counts an event that could not be created. */
  synchronized void incomplete() {
    dropped++;
  }

  /** Returns how many occurrences have been dropped and will never be reported to the server. */
  synchronized long dropped() {
    return dropped;
  }

  /** Returns how many occurrences were dropped because too many were pending. */
  synchronized long crowded() {
    return crowded;
  }

  @GuardedBy("this")
  private OpenSeries poll(Outgoing sent) {
    OpenSeries series = queueOf(sent.series()).remove();
    sending = null;
    if (series != sent.series()) {
      throw new IllegalStateException(sent + " is not the event to send");
    }
    series.queued = false;
    return series;
  }
}
