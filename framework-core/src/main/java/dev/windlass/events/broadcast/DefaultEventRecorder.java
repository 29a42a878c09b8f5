// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import dev.windlass.events.EventRecorder;
import dev.windlass.events.broadcast.EventFactory.Filled;
import dev.windlass.events.broadcast.OpenSeries.Outgoing;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts events from reconcilers and sends them to the API server on a separate thread.
 *
 * <p>{@link EventFactory} creates the Events, {@link EventCorrelator} groups them into series and
 * limits their rate for each object, and this class sends them. By default, it sends at most 50
 * Events per second after an initial burst of 100. This overall limit is necessary because every
 * object can cause an event after a restart. If the server temporarily cannot accept an Event, the
 * recorder retries the request.
 */
final class DefaultEventRecorder implements EventRecorder, LoopStep {

  /**
   * The maximum number of attempts to send an Event. The maximum and the interval of 10 s between
   * attempts are the same as in client-go.
   */
  private static final int TRIES = 12;

  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** The time limit for sending pending Events during shutdown: 2 s. */
  static final Duration FLUSH = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  private final EventFactory factory;
  private final EventSink sink;
  private final Scheduler scheduler;
  private final Loop loop;
  private final EventCorrelator correlator = new EventCorrelator();

  // Only the sending thread uses these fields.
  private final EventLimiter<String> overall;

  /** The interval between two Events after the initial burst. */
  private final Duration perEvent;

  private final LostEventsLog problem;
  private int failures;
  private long retryAt;

  private volatile boolean flushing;

  DefaultEventRecorder(
      String controller,
      String instance,
      EventSink sink,
      Scheduler scheduler,
      Clock clock,
      ThreadFactory threads,
      int perSecond) {
    this.perEvent = Duration.ofNanos(NANOS_PER_SECOND / perSecond);
    this.overall = new EventLimiter<>(2 * perSecond, perEvent, 1);
    this.factory = new EventFactory(controller, instance, clock);
    this.sink = sink;
    this.scheduler = scheduler;
    this.problem = new LostEventsLog(scheduler);
    this.loop = new Loop("events-" + controller, this, scheduler, threads);
  }

  void start() {
    loop.start();
  }

  Loop loop() {
    return loop;
  }

  /**
   * Initiates the shutdown of the recorder. Before the recorder stops, it sends all pending Events.
   * If the server cannot accept them, the recorder drops them.
   */
  void flush() {
    flushing = true;
    loop.wake();
  }

  /**
   * Sends all pending Events and stops the recorder. After {@link #FLUSH} or the limit, whichever
   * is shorter, this method abandons the request in progress.
   *
   * @return whether the sending thread has terminated within the limit
   */
  boolean stop(Duration limit) throws InterruptedException {
    Deadline deadline = Deadline.in(limit, scheduler);
    flush();
    boolean ended = false;
    try {
      ended = loop.join(limit.compareTo(FLUSH) < 0 ? limit : FLUSH);
    } finally {
      if (!ended) {
        loop.interrupt();
      }
    }
    return ended || loop.join(deadline.left());
  }

  /**
   * Returns the number of dropped occurrences. The recorder drops an occurrence if too many events
   * are pending, the rate limit of the object is reached, the object is incomplete, or the server
   * does not accept the Event.
   */
  long dropped() {
    return correlator.dropped();
  }

  @Override
  public void record(
      HasMetadata regarding,
      @Nullable HasMetadata related,
      EventType type,
      String reason,
      String action,
      String message) {
    Filled filled;
    try {
      filled = factory.fill(regarding, related, type, reason, action, message);
    } catch (RuntimeException e) {
      log.warn(
          "Dropped an Event with reason {}, because its object is incomplete",
          OneLine.of(String.valueOf(reason), EventText.WORD),
          e);
      correlator.incomplete();
      return;
    }
    correlator.add(filled.key(), filled.event(), scheduler.nanoTime());
    loop.wake();
  }

  @Override
  public StepDelay run() {
    long now = scheduler.nanoTime();
    boolean last = flushing; // read once, because the loop must not end before the flush
    if (last) {
      correlator.flush();
    }
    problem.crowded(correlator.crowded());
    StepDelay untilSweep = correlator.sweep(now);
    Outgoing next = correlator.next();
    if (next == null) {
      if (last) {
        loop.stop();
      }
      return untilSweep;
    }
    long left = failures == 0 || last ? 0 : retryAt - now;
    if (left > 0) {
      return StepDelay.of(
          Duration.ofNanos(left)); // an event that is queued before then wakes the loop
    }
    if (failures == 0 && !overall.tryTake("", now)) {
      return StepDelay.of(perEvent);
    }
    try {
      send(next);
      failures = 0;
      return StepDelay.NONE;
    } catch (RuntimeException e) {
      return failed(next, e);
    }
  }

  private void send(Outgoing next) {
    if (next.exists()) {
      if (sink.update(next.event())) {
        correlator.sent(next, next.occurrences(), scheduler.nanoTime());
      } else {
        correlator.gone(next, factory.name(next.event().getRegarding().getName()));
      }
      return;
    }
    int known = next.occurrences();
    try {
      sink.create(next.event());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      // No other writer uses this name, so an earlier attempt created the Event and its response
      // was lost. The attempt may have preceded the repetitions, so these are reported again.
      known = 1;
    }
    correlator.sent(next, known, scheduler.nanoTime());
  }

  private StepDelay failed(Outgoing next, RuntimeException failure) {
    boolean temporary = isTemporary(failure);
    if (temporary && !flushing && ++failures < TRIES) {
      log.debug("Failed to send an Event, try {} of {}", failures, TRIES, OneLine.of(failure));
      retryAt = scheduler.nanoTime() + BETWEEN_TRIES.toNanos();
      return StepDelay.of(BETWEEN_TRIES);
    }
    problem.dropped(next.event(), failure);
    failures = 0;
    if (temporary && flushing) {
      correlator.clear();
    } else {
      correlator.failed(next);
    }
    return StepDelay.NONE;
  }

  /**
   * Returns whether a retry can succeed. A retry can succeed if the server did not respond, or if
   * it responded with a conflict, a throttling error or a server error.
   */
  private static boolean isTemporary(RuntimeException e) {
    return e instanceof KubernetesClientException failure
        && (failure.getCode() <= 0
            || failure.getCode() == HttpURLConnection.HTTP_CONFLICT
            || failure.getCode() == 429
            || failure.getCode() >= 500);
  }
}
