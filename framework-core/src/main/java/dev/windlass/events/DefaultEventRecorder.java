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

  /** Between two events, once the first hundred are through. */
  private static final Duration PER_EVENT = Duration.ofMillis(20);

  private static final DateTimeFormatter RFC3339 =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  private record Key(
      String namespace,
      String kind,
      String name,
      String uid,
      String type,
      String reason,
      String message) {}

  private record Waiting(Key key, Event event) {}

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
  private final EventLimiter<String> perObject =
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

  boolean stop(Duration limit) throws InterruptedException {
    loop.stop();
    return loop.join(limit);
  }

  /** How many events were dropped because too many waited, or too many of one object. */
  long dropped() {
    synchronized (queue) {
      return dropped;
    }
  }

  @Override
  public void record(HasMetadata regarding, EventType type, String reason, String message) {
    Waiting waiting = event(regarding, type, reason, message);
    String object = waiting.key().kind() + "/" + waiting.key().uid() + waiting.key().name();
    synchronized (queue) {
      if (!perObject.tryTake(object, scheduler.nanoTime()) || queue.size() >= CAPACITY) {
        dropped++;
        return;
      }
      queue.add(waiting);
    }
    loop.wake();
  }

  private Waiting event(HasMetadata regarding, EventType type, String reason, String message) {
    var metadata = regarding.getMetadata();
    String namespace = Objects.requireNonNullElse(metadata.getNamespace(), "default");
    String uid = Objects.requireNonNullElse(metadata.getUid(), "");
    String now = RFC3339.format(clock.instant());
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withName(metadata.getName() + "." + uniqueSuffix())
            .withNamespace(namespace)
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(regarding.getApiVersion())
            .withKind(regarding.getKind())
            .withNamespace(metadata.getNamespace())
            .withName(metadata.getName())
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
    Key key =
        new Key(
            namespace, regarding.getKind(), metadata.getName(), uid, type.text(), reason, message);
    return new Waiting(key, event);
  }

  /** Nanoseconds of wall time in hexadecimal, as client-go names its Events. */
  private String uniqueSuffix() {
    return Long.toHexString(ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant()))
        + Long.toHexString(scheduler.nanoTime() & 0xffff);
  }

  @Override
  public Pause run() {
    Waiting next;
    synchronized (queue) {
      next = queue.peek();
    }
    if (next == null) {
      return Pause.UNTIL_WOKEN;
    }
    if (failures == 0 && !overall.tryTake("", scheduler.nanoTime())) {
      return Pause.of(PER_EVENT);
    }
    try {
      send(next);
    } catch (KubernetesClientException e) {
      if (isTemporary(e) && ++failures < TRIES) {
        log.debug("An event could not be sent, try {} of {}", failures, TRIES, e);
        return Pause.of(BETWEEN_TRIES);
      }
      log.warn("An event about {} is dropped: {}", next.key().name(), e.getMessage());
    }
    failures = 0;
    synchronized (queue) {
      queue.poll();
    }
    return Pause.NONE;
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
    sink.create(next.event());
    sent.put(next.key(), next.event());
  }

  /** Whether it may work later: no answer, throttling, or trouble of the server's own. */
  private static boolean isTemporary(KubernetesClientException e) {
    return e.getCode() == 0 || e.getCode() == 429 || e.getCode() >= 500;
  }
}
