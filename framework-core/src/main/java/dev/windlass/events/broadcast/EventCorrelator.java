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
 * Groups events into series, and decides when to report them to the server.
 *
 * <p>A repetition within {@link #END} of the previous occurrence increases the count of its Event.
 * The correlator keeps counts in memory, and reports them when the object's allowance permits. The
 * allowance therefore never causes the loss of a repetition, and thousands of repetitions require
 * only a few requests. For each object, the allowance is a burst of 25 requests and then one
 * request per 5 min, as in client-go ({@code events_cache.go}). The correlator drops a new event if
 * its object has no allowance left. When a series ends, the correlator always reports the last
 * count.
 *
 * <p>The correlator returns Warnings before Normal events. If too many events are pending, a new
 * Warning replaces the latest pending Normal event.
 *
 * <p>Memory is limited. At most {@link #CAPACITY} events are pending, and at most {@link
 * #REMEMBERED} series are open. To open another series, the correlator closes the least recently
 * repeated series. For the duration of {@link #SUPPRESSED}, the correlator remembers that the
 * server has the Event of that series. During this time, the correlator does not count repetitions
 * of a Normal event, and the repetitions do not lead to a new Event. Without this rule, an idle
 * cluster with events about more than {@link #REMEMBERED} objects would receive an Event for each
 * object at each resync. All times are monotonic nanoseconds that the caller passes. This class is
 * thread-safe.
 */
final class EventCorrelator {

  /** The maximum number of pending events. */
  static final int CAPACITY = 10_000;

  /** The maximum number of open series, as in client-go. */
  static final int REMEMBERED = 4096;

  /**
   * The maximum number of objects that have an allowance, and of series that are remembered after
   * they were closed because too many were open.
   */
  static final int OBJECTS = 65_536;

  /**
   * The time for which repetitions do not create a new Event after their series was closed because
   * too many series were open: 30 min.
   */
  static final Duration SUPPRESSED = Duration.ofMinutes(30);

  /**
   * The time without a repetition after which a series ends: 6 min, as in client-go ({@code
   * tools/events}).
   */
  static final Duration END = Duration.ofMinutes(6);

  /** The interval at which counts that wait for an allowance are checked again: 30 s. */
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

  /** The series that is being sent. */
  @GuardedBy("this")
  private @Nullable OpenSeries sending;

  /**
   * The times at which series were closed because too many were open, in monotonic nanoseconds,
   * keyed by the hash of the series' key.
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

  /** The series whose count can be reported only when their object has an allowance again. */
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
   * Records an occurrence. If the occurrence opens a series, {@code event} is the Event to create.
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
   * Returns whether the server already has the Event of a series, because the series was recently
   * closed to make room for another one.
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
   * series is a Warning, makes room by removing the latest pending Normal event.
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
   * Ends a series. Further repetitions do not increase the series' count. If the count has not been
   * reported, queues the count to be reported immediately.
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
   * Checks the series whose counts wait for an allowance, if {@link #SWEEP} has passed since the
   * last check. Queues the counts whose object has an allowance again, and ends the series that had
   * no repetition for {@link #END}.
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

  /** Queues all counts to be reported immediately. */
  synchronized void flush() {
    late.forEach(this::enqueue);
    late.clear();
  }

  /**
   * Returns the next state to send, or null if nothing is pending. Until the caller reports the
   * outcome, further calls return a state of the same series, unless a Warning is recorded in the
   * meantime.
   */
  synchronized @Nullable Outgoing next() {
    OpenSeries first = warnings.isEmpty() ? others.peek() : warnings.peek();
    sending = first;
    return first == null ? null : first.outgoing();
  }

  /**
   * Records that the server has stored this many occurrences of the event last returned by {@link
   * #next}.
   */
  synchronized void sent(Outgoing sent, int occurrences, long now) {
    OpenSeries series = poll(sent);
    series.reported(occurrences);
    if (series.unreported() > 0) {
      reportWhenAllowed(series, now);
    }
  }

  /**
   * Records that the server no longer has the Event last returned by {@link #next}. The Event will
   * be created again under a new name.
   */
  synchronized void gone(Outgoing sent, String name) {
    sent.series().recreate(name);
  }

  /**
   * Records that the server does not accept the event last returned by {@link #next}. The next
   * occurrence starts a new series.
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
