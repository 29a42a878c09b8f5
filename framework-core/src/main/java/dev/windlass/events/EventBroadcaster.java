// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and stops the recorders of a program, one per component. Thread safe. */
public final class EventBroadcaster {

  private static final Logger log = LoggerFactory.getLogger(EventBroadcaster.class);

  private final EventSink sink;
  private final Scheduler scheduler;
  private final Clock clock;
  private final ThreadFactory threads;

  @GuardedBy("this")
  private boolean stopped;

  @GuardedBy("this")
  private final Map<String, DefaultEventRecorder> recorders = new LinkedHashMap<>();

  /**
   * A broadcaster without recorders.
   *
   * @param client to which the Events are sent
   * @param clock for the times in the Events
   */
  public EventBroadcaster(
      KubernetesClient client, Scheduler scheduler, Clock clock, ThreadFactory threads) {
    this.sink = EventSink.to(client);
    this.scheduler = scheduler;
    this.clock = clock;
    this.threads = threads;
  }

  /** The recorder of a component, whose name is the source of its Events. */
  public synchronized EventRecorder recorder(String component) {
    return recorders.computeIfAbsent(
        component,
        name -> {
          log.debug("Creating event broadcaster");
          DefaultEventRecorder recorder =
              new DefaultEventRecorder(name, sink, scheduler, clock, threads);
          if (!stopped) {
            recorder.start();
          }
          return recorder;
        });
  }

  /**
   * Stops all recorders. What waits is sent within 2 s each, if the server takes it; else dropped.
   *
   * @param limit for all of them together
   * @return whether all ended in time
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  public synchronized boolean stop(Duration limit) throws InterruptedException {
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    stopped = true;
    boolean ended = true;
    for (DefaultEventRecorder recorder : recorders.values()) {
      ended &= recorder.stop(Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime())));
    }
    return ended;
  }
}
