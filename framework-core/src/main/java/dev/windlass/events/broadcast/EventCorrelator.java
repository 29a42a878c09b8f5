// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.events.broadcast.EventSeriesKey.Subject;
import dev.windlass.events.broadcast.OpenSeries.Outgoing;
import dev.windlass.scheduling.StepDelay;
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
 * Groups events into series, and determines when each series is reported to the server.
 *
 * <p>If an event is repeated within {@link #END} of its previous occurrence, the correlator
 * increases the count of the series. It keeps the count in memory, and reports the count when the
 * rate limit of the object permits. The rate limit delays counts, but does not cause repetitions to
 * be lost. Thousands of repetitions require only a few requests. The rate limit of each object
 * permits a burst of 25 requests and then one request per 5 min, as in client-go ({@code
 * events_cache.go}). If the rate limit is reached, the correlator drops new events. When a series
 * ends, the correlator reports the final count regardless of the rate limit.
 *
 * <p>The correlator returns Warnings before Normal events. If too many events are pending, a new
 * Warning replaces the latest pending Normal event.
 *
 * <p>Memory use is limited. At most {@link #CAPACITY} events are pending, and at most {@link
 * #REMEMBERED} series are open. To make room for another series, the correlator closes the least
 * recently repeated one. If a Normal event of the closed series is repeated within {@link
 * #SUPPRESSED}, the correlator ignores the repetition, because the server already has the Event.
 * Otherwise, an idle cluster with events about more than {@link #REMEMBERED} objects would receive
 * a new Event for each object at every resync.
 *
 * <p>All times are values of {@code Scheduler.nanoTime}, which the caller passes. This class is
 * thread-safe.
 */
final class EventCorrelator {

  /** The maximum number of pending events. */
  static final int CAPACITY = 10_000;

  /** The maximum number of open series, as in client-go. */
  static final int REMEMBERED = 4096;

  /**
   * The maximum number of objects whose rate limit is tracked, and the maximum size of {@link
   * #crowdedOut}.
   */
  static final int OBJECTS = 65_536;

  /**
   * The time for which repetitions of a Normal event are ignored after its series was closed to
   * make room for another one: 30 min.
   */
  static final Duration SUPPRESSED = Duration.ofMinutes(30);

  /**
   * The time after which a series ends if its event is not repeated: 6 min, as in client-go ({@code
   * tools/events}).
   */
  static final Duration END = Duration.ofMinutes(6);

  /** The interval at which the correlator checks whether it can report delayed counts: 30 s. */
  static final Duration SWEEP = Duration.ofSeconds(30);

  @GuardedBy("this")
  private final EventLimiter<Subject> perObject =
      new EventLimiter<>(25, Duration.ofMinutes(5), OBJECTS);

  /** The open series, from the least to the most recently repeated. */
  @GuardedBy("this")
  private final Map<EventSeriesKey, OpenSeries> open = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * The pending Warnings. Each series is pending at most once, and Warnings are sent before other
   * events.
   */
  @GuardedBy("this")
  private final ArrayDeque<OpenSeries> warnings = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<OpenSeries> others = new ArrayDeque<>();

  @GuardedBy("this")
  private @Nullable OpenSeries sending;

  /**
   * The times at which series were closed to make room for others, as values of {@code
   * Scheduler.nanoTime}. The map's keys are the hash codes of the series' keys.
   */
  @GuardedBy("this")
  private final Map<Integer, Long> crowdedOut =
      new LinkedHashMap<>(16, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
          return size() > OBJECTS;
        }
      };

  /** The series whose counts are delayed by the rate limit of their object. */
  @GuardedBy("this")
  private final Set<OpenSeries> late = new LinkedHashSet<>();

  @GuardedBy("this")
  private long sweepAt;

  @GuardedBy("this")
  private long dropped;

  /** The number of occurrences that were dropped because too many events were pending. */
  @GuardedBy("this")
  private long crowded;

  /**
   * Records an occurrence of an event.
   *
   * @param event the Event to create if the occurrence starts a series
   */
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

  /**
   * Returns whether a series was closed to make room for another one less than {@link #SUPPRESSED}
   * ago. The server already has the Event of such a series.
   */
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
   * Returns whether there is room for another pending event. If too many events are pending and the
   * event is a Warning, this method makes room by removing the latest pending Normal event.
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

  /** Removes a series without reporting its count. The next occurrence starts a new series. */
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

  /**
   * Ends a series. Later repetitions do not increase its count. If its count is delayed, this
   * method queues the count regardless of the rate limit.
   */
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
   * Queues each delayed count that the rate limit of the object now permits, and ends each delayed
   * series whose last occurrence was more than {@link #END} ago. This method has an effect only if
   * {@link #SWEEP} has passed since the last check.
   *
   * @return the delay before the next call
   */
  synchronized StepDelay sweep(long now) {
    if (late.isEmpty()) {
      return StepDelay.UNTIL_WOKEN;
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
    return late.isEmpty() ? StepDelay.UNTIL_WOKEN : StepDelay.of(Duration.ofNanos(sweepAt - now));
  }

  /** Queues all delayed counts, regardless of the rate limit. */
  synchronized void flush() {
    late.forEach(this::enqueue);
    late.clear();
  }

  /**
   * Returns the next Event to send, or null if none is pending. Until the caller reports the
   * outcome, each call returns the current Event of the same series, unless a Warning has been
   * recorded in the meantime.
   */
  synchronized @Nullable Outgoing next() {
    OpenSeries first = warnings.isEmpty() ? others.peek() : warnings.peek();
    sending = first;
    return first == null ? null : first.outgoing();
  }

  /**
   * Records that the server has stored the Event last returned by {@link #next}.
   *
   * @param occurrences the number of occurrences that the stored Event represents
   */
  synchronized void sent(Outgoing sent, int occurrences, long now) {
    OpenSeries series = poll(sent);
    series.reported(occurrences);
    if (series.unreported() > 0) {
      reportWhenAllowed(series, now);
    }
  }

  /**
   * Records that the server no longer has the Event last returned by {@link #next}. The next
   * attempt creates the Event again.
   *
   * @param name the new name of the Event
   */
  synchronized void gone(Outgoing sent, String name) {
    sent.series().recreate(name);
  }

  /**
   * Records that the Event last returned by {@link #next} could not be sent. The next occurrence
   * starts a new series.
   */
  synchronized void failed(Outgoing sent) {
    forget(poll(sent));
  }

  /** Drops all pending events and ends all series. */
  synchronized void clear() {
    flush();
    warnings.forEach(series -> dropped += series.unreported());
    others.forEach(series -> dropped += series.unreported());
    warnings.clear();
    others.clear();
    open.clear();
    sending = null;
  }

  /** Counts an event as dropped because its object was incomplete. */
  synchronized void incomplete() {
    dropped++;
  }

  /**
   * Returns the number of occurrences that were dropped and will never be reported to the server.
   */
  synchronized long dropped() {
    return dropped;
  }

  /** Returns the number of occurrences that were dropped because too many events were pending. */
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
