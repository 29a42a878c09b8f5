// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.time.Step;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Correlates, limits and sends Events.
 *
 * <p>Equal events (type, reason, message, object) become one Event whose count grows. Of one
 * object, 25 come through at once and then one in 5 minutes (client-go {@code events_cache.go});
 * all together 100 at once and then 50 per second, because after a restart every object may have
 * something to say. At most {@link #CAPACITY} wait; what comes then is dropped and counted.
 */
final class DefaultEventRecorder implements EventRecorder, Step {

  /** How many events may wait to be sent. */
  static final int CAPACITY = 10_000;

  /** How many different events are remembered for counting (client-go: 4096). */
  private static final int REMEMBERED = 4096;

  /** How often sending one event is tried, and how long between (client-go: 12 times, 10 s). */
  private static final int TRIES = 12;

  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

  /** How long a stop may go on sending what waits, if the server takes it: 2 s. */
  static final Duration FLUSH = Duration.ofSeconds(2);

  /** Between two events, once the first hundred are through. */
  private static final Duration PER_EVENT = Duration.ofMillis(20);

  private static final DateTimeFormatter RFC3339 =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  /** What a name may be made of (RFC 1123 subdomain); the name of a ClusterRole may be more. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,220}[a-z0-9])?");

  private record Key(
      Subject subject, String type, @Nullable String reason, @Nullable String message) {}

  private record Waiting(Key key, Event event) {}

  private record Subject(String namespace, @Nullable String kind, String name, String uid) {}

  private final String component;
  private final EventSink sink;
  private final Scheduler scheduler;
  private final Clock clock;
  private final Loop loop;

  @GuardedBy("queue")
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();

  @GuardedBy("queue")
  private long dropped;

  @GuardedBy("queue")
  private final EventLimiter<Subject> perObject =
      new EventLimiter<>(25, Duration.ofMinutes(5), REMEMBERED);

  // Of the sending thread only.
  private final EventLimiter<String> overall = new EventLimiter<>(100, PER_EVENT, 1);
  private final Map<Key, Event> sent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Event> eldest) {
          return size() > REMEMBERED;
        }
      };
  private int failures;
  private long retryAt;

  /** Of the name that was given last, so that each name is given once. */
  private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);

  private volatile boolean flushing;

  DefaultEventRecorder(
      String component, EventSink sink, Scheduler scheduler, Clock clock, ThreadFactory threads) {
    this.component = component;
    this.sink = sink;
    this.scheduler = scheduler;
    this.clock = clock;
    this.loop = new Loop("events-" + component, this, scheduler, threads);
  }

  void start() {
    loop.start();
  }

  /** Sends what waits, as long as the server takes it, {@link #FLUSH} at most, and ends. */
  boolean stop(Duration limit) throws InterruptedException {
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    try {
      flushing = true;
      loop.wake();
      loop.join(limit.compareTo(FLUSH) < 0 ? limit : FLUSH);
    } finally {
      loop.stop();
    }
    return loop.join(Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime())));
  }

  /** How many events were dropped: too many in all or of one object, or not taken by the server. */
  long dropped() {
    synchronized (queue) {
      return dropped;
    }
  }

  @Override
  public void record(HasMetadata regarding, EventType type, String reason, String message) {
    Waiting waiting;
    try {
      waiting = event(regarding, type, reason, message);
    } catch (RuntimeException e) {
      log.warn("An event with reason {} is dropped, because its object is incomplete", reason, e);
      synchronized (queue) {
        dropped++;
      }
      return;
    }
    Subject subject = waiting.key().subject();
    synchronized (queue) {
      if (!perObject.tryTake(subject, scheduler.nanoTime()) || queue.size() >= CAPACITY) {
        dropped++;
        return;
      }
      queue.add(waiting);
    }
    loop.wake();
  }

  private Waiting event(HasMetadata regarding, EventType type, String reason, String message) {
    var metadata = regarding.getMetadata();
    String name = Objects.requireNonNull(metadata.getName(), "an object without a name");
    String namespace = Objects.requireNonNullElse(metadata.getNamespace(), "default");
    String uid = Objects.requireNonNullElse(metadata.getUid(), "");
    String now = RFC3339.format(clock.instant());
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withName(nameOf(name))
            .withNamespace(namespace)
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(regarding.getApiVersion())
            .withKind(regarding.getKind())
            .withNamespace(metadata.getNamespace())
            .withName(name)
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .endInvolvedObject()
            .withNewSource()
            .withComponent(component)
            .endSource()
            .withType(type.text())
            .withReason(reason)
            .withMessage(message)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withCount(1)
            .build();
    Subject subject = new Subject(namespace, regarding.getKind(), name, uid);
    return new Waiting(new Key(subject, type.text(), reason, message), event);
  }

  /**
   * The object's name and the nanoseconds of wall time in hexadecimal, as client-go names its
   * Events; the component keeps recorders apart that look at the clock at the same time.
   */
  private String nameOf(String object) {
    long now = ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
    long stamp = lastStamp.accumulateAndGet(now, (last, next) -> Math.max(last + 1, next));
    String prefix = NAME.matcher(object).matches() ? object : "event";
    return "%s.%x%04x".formatted(prefix, stamp, component.hashCode() & 0xffff);
  }

  @Override
  public Pause run() {
    Waiting next;
    synchronized (queue) {
      next = queue.peek();
    }
    if (next == null) {
      return nothingToSend();
    }
    long left = failures == 0 || flushing ? 0 : retryAt - scheduler.nanoTime();
    if (left > 0) {
      return Pause.of(Duration.ofNanos(left)); // woken by an event that waits behind this one
    }
    if (failures == 0 && !overall.tryTake("", scheduler.nanoTime())) {
      return Pause.of(PER_EVENT);
    }
    try {
      send(next);
    } catch (RuntimeException e) {
      if (isTemporary(e) && !flushing && ++failures < TRIES) {
        log.debug("An event could not be sent, try {} of {}", failures, TRIES, e);
        retryAt = scheduler.nanoTime() + BETWEEN_TRIES.toNanos();
        return Pause.of(BETWEEN_TRIES);
      }
      log.warn("An event about {} is dropped: {}", next.key().subject().name(), e.getMessage());
      drop(isTemporary(e) && flushing);
      failures = 0;
      return Pause.NONE;
    }
    failures = 0;
    synchronized (queue) {
      queue.poll();
    }
    return Pause.NONE;
  }

  private Pause nothingToSend() {
    if (flushing) {
      loop.stop();
    }
    return Pause.UNTIL_WOKEN;
  }

  /** Drops the event that is next, or everything. */
  private void drop(boolean everything) {
    synchronized (queue) {
      do {
        queue.poll();
        dropped++;
      } while (everything && !queue.isEmpty());
    }
  }

  private void send(Waiting next) {
    @Nullable Event known = sent.get(next.key());
    if (known != null) {
      Event repeated =
          new EventBuilder(known)
              .withCount(known.getCount() + 1)
              .withLastTimestamp(next.event().getLastTimestamp())
              .build();
      if (sink.update(repeated)) {
        sent.put(next.key(), repeated);
        return;
      }
    }
    create(next.event());
    sent.put(next.key(), next.event());
  }

  private void create(Event event) {
    try {
      sink.create(event);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 409) {
        throw e;
      }
      // Its name is ours alone: an earlier try did it, whose answer was lost.
    }
  }

  /** Whether it may work later: no answer, throttling, or trouble of the server's own. */
  private static boolean isTemporary(RuntimeException e) {
    return e instanceof KubernetesClientException failure
        && (failure.getCode() == 0 || failure.getCode() == 429 || failure.getCode() >= 500);
  }
}
