// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.events.EventSeriesKey.Subject;
import dev.windlass.events.OpenSeries.Outgoing;
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
 * Decides which events are one, and when the server is to hear of them.
 *
 * <p>What happens again within {@link #END} raises the count of its Event. A count is kept here and
 * told when the allowance of the object permits, so a repetition is never lost, and thousands of
 * them cost a few requests. The allowance is 25 requests at once and then one in 5 minutes per
 * object (client-go {@code events_cache.go}); only an event that is new and finds no allowance is
 * dropped. At the end of a series the server is told the last count in any case.
 *
 * <p>Warnings are sent before Normal events, and a Warning that finds no room takes the place of
 * the latest Normal event that waits.
 *
 * <p>Bounded: {@link #CAPACITY} events wait, {@link #REMEMBERED} series are open; the one that was
 * repeated longest ago ends for a new one. Of a series that ended for want of room it is remembered
 * for {@link #TOLD} that the server has its Event, so its repetitions, which can't be counted any
 * more, make no new ones: else an idle cluster of more objects than series would get an Event for
 * each object at each resync. All times are monotonic nanoseconds and are given, never read. Safe
 * for use by several threads.
 */
final class EventCorrelator {

  /** How many events may wait to be sent. */
  static final int CAPACITY = 10_000;

  /** How many different events are remembered for counting (client-go: 4096). */
  static final int REMEMBERED = 4096;

  /** How many objects have an allowance, and how many series without room are remembered. */
  static final int OBJECTS = 65_536;

  /** How long repetitions of a series that ended for want of room make no new Event: 30 min. */
  static final Duration TOLD = Duration.ofMinutes(30);

  /** A series ends when it was not repeated for so long (client-go {@code tools/events}: 6 min). */
  static final Duration END = Duration.ofMinutes(6);

  /** How often it is seen to whether a count that could not be told can be told now. */
  static final Duration SWEEP = Duration.ofSeconds(30);

  @GuardedBy("this")
  private final EventLimiter<Subject> perObject =
      new EventLimiter<>(25, Duration.ofMinutes(5), OBJECTS);

  /** In the order of their last occurrence. */
  @GuardedBy("this")
  private final Map<EventSeriesKey, OpenSeries> open = new LinkedHashMap<>(16, 0.75f, true);

  /** What is to be sent; each series once, Warnings before others. */
  @GuardedBy("this")
  private final ArrayDeque<OpenSeries> warnings = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<OpenSeries> others = new ArrayDeque<>();

  /** The one that is being sent. */
  @GuardedBy("this")
  private @Nullable OpenSeries sending;

  /** The series that ended for want of room, by the hash of their key, and when. */
  @GuardedBy("this")
  private final Map<Integer, Long> crowdedOut =
      new LinkedHashMap<>(16, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
          return size() > OBJECTS;
        }
      };

  /** Those that found no allowance for their count. */
  @GuardedBy("this")
  private final Set<OpenSeries> late = new LinkedHashSet<>();

  @GuardedBy("this")
  private long sweepAt;

  @GuardedBy("this")
  private long dropped;

  /** How many of those found no room. */
  @GuardedBy("this")
  private long crowded;

  /** It happened; {@code event} is how it is created if it is new. */
  synchronized void add(EventSeriesKey key, Event event, long now) {
    OpenSeries known = open.get(key);
    if (known != null && now - known.lastAt() <= END.toNanos()) {
      known.repeat(event.getEventTime(), now);
      tellWhenAllowed(known, now);
      return;
    }
    if (known != null) {
      end(known);
    }
    OpenSeries begun = new OpenSeries(key, event, now);
    if (!begun.isWarning() && wasToldOf(key, now)) {
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

  /** Whether the server has an Event of a series that only had to make room. */
  @GuardedBy("this")
  private boolean wasToldOf(EventSeriesKey key, long now) {
    Long since = crowdedOut.get(key.hashCode());
    if (since == null) {
      return false;
    }
    if (now - since <= TOLD.toNanos()) {
      return true;
    }
    crowdedOut.remove(key.hashCode());
    return false;
  }

  /** Makes room for a Warning, if there is none, by the latest that is none. */
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
    crowded += last.untold();
    return true;
  }

  /** The server is not told of it any more, and its next occurrence begins anew. */
  @GuardedBy("this")
  private void forget(OpenSeries series) {
    dropped += series.untold();
    if (series.open) {
      series.open = false;
      open.remove(series.key());
    }
  }

  @GuardedBy("this")
  private void tellWhenAllowed(OpenSeries series, long now) {
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

  /** No repetition counts any more, and what is not told is told now. */
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
   * Sees to the counts that wait for an allowance, if it is time.
   *
   * @return when to call it again
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

  /** Every count is to be told now. */
  synchronized void flush() {
    late.forEach(this::enqueue);
    late.clear();
  }

  /** What is to be sent next; it stays so until the outcome is reported. Null if nothing is. */
  synchronized @Nullable Outgoing next() {
    OpenSeries first = warnings.isEmpty() ? others.peek() : warnings.peek();
    sending = first;
    return first == null ? null : first.outgoing();
  }

  /** The server knows this many occurrences of what was next. */
  synchronized void sent(Outgoing sent, int occurrences, long now) {
    OpenSeries series = poll(sent);
    series.tell(occurrences);
    if (series.untold() > 0) {
      tellWhenAllowed(series, now);
    }
  }

  /** The server does not have what was next any more; it is created again under a new name. */
  synchronized void gone(Outgoing sent, String name) {
    sent.series().recreate(name);
  }

  /** The server does not take what was next: its next occurrence begins anew. */
  synchronized void failed(Outgoing sent) {
    forget(poll(sent));
  }

  /** Gives up all that waits. */
  synchronized void clear() {
    flush();
    warnings.forEach(series -> dropped += series.untold());
    others.forEach(series -> dropped += series.untold());
    warnings.clear();
    others.clear();
    open.clear();
    sending = null;
  }

  /** An event could not even be put together. */
  synchronized void incomplete() {
    dropped++;
  }

  /** How many occurrences the server was not and will not be told of. */
  synchronized long dropped() {
    return dropped;
  }

  /** How many of the dropped found no room, because too many waited. */
  synchronized long crowded() {
    return crowded;
  }

  @GuardedBy("this")
  private OpenSeries poll(Outgoing sent) {
    OpenSeries series = queueOf(sent.series()).remove();
    sending = null;
    if (series != sent.series()) {
      throw new IllegalStateException(sent + " is not what was next");
    }
    series.queued = false;
    return series;
  }
}
