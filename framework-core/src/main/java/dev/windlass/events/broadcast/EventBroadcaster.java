// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.events.EventRecorder;
import dev.windlass.logging.OneLine;
import dev.windlass.time.Loop;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and stops the event recorders of a program, one per component. Thread safe. */
public final class EventBroadcaster {

  /**
   * The names that the API server accepts as a reportingController: a name, optionally after a
   * domain.
   */
  private static final Pattern QUALIFIED_NAME =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  /** The maximum length of the domain before the name, including the slash. */
  private static final int LONGEST_DOMAIN = 254;

  private static final Logger log = LoggerFactory.getLogger(EventBroadcaster.class);

  private final EventSink sink;
  private final Scheduler scheduler;
  private final Clock clock;
  private final ThreadFactory threads;
  private final int perSecond;

  private volatile boolean stopped;

  @GuardedBy("this")
  private final Map<String, DefaultEventRecorder> recorders = new LinkedHashMap<>();

  /** The same recorders, for callers that must not wait for a stop. */
  private final List<DefaultEventRecorder> made = new CopyOnWriteArrayList<>();

  /** The default number of Events that a recorder sends per second: 50, and 100 in a burst. */
  public static final int PER_SECOND = 50;

  /** The maximum rate per second: 1,000. */
  private static final int MOST_PER_SECOND = 1_000;

  /**
   * Creates a broadcaster without recorders.
   *
   * @param client sends the Events
   * @param clock for the times in the Events
   * @param perSecond how many Events each recorder may send per second, with bursts of twice as
   *     many; {@link #PER_SECOND} by default
   * @throws IllegalArgumentException if the rate is not between 1 and 1,000
   */
  public EventBroadcaster(
      KubernetesClient client,
      Scheduler scheduler,
      Clock clock,
      ThreadFactory threads,
      int perSecond) {
    if (perSecond < 1 || perSecond > MOST_PER_SECOND) {
      throw new IllegalArgumentException(
          "a recorder can't send " + perSecond + " Events per second: choose 1 to 1000");
    }
    this.perSecond = perSecond;
    this.sink = EventSink.to(client);
    this.scheduler = scheduler;
    this.clock = clock;
    this.threads = threads;
  }

  /**
   * Returns the recorder of a component. Calls with the same name return the same recorder.
   *
   * @param component the {@code reportingController} of its Events. The {@code reportingInstance},
   *     which identifies the process, consists of the component and the host name (environment
   *     variable {@code HOSTNAME}, in a Pod the name of the Pod), or the process id if there is
   *     none
   * @throws IllegalArgumentException if the API server would reject that name
   */
  public synchronized EventRecorder recorder(String component) {
    checkName(component);
    return recorders.computeIfAbsent(
        component,
        name -> {
          log.debug("Creating event broadcaster");
          DefaultEventRecorder recorder =
              new DefaultEventRecorder(
                  name, name + "-" + host(), sink, scheduler, clock, threads, perSecond);
          if (!stopped) {
            recorder.start();
          }
          made.add(recorder);
          return recorder;
        });
  }

  /** Returns the loops that must currently be running, for health checks; none after a stop. */
  public List<Loop> loops() {
    return stopped ? List.of() : made.stream().map(DefaultEventRecorder::loop).toList();
  }

  private static void checkName(String component) {
    if (!QUALIFIED_NAME.matcher(component).matches() || component.indexOf('/') >= LONGEST_DOMAIN) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(component)
              + "' can't be the name of a component that records Events. Use at most 63 letters,"
              + " digits, '-', '_' and '.', beginning and ending with a letter or a digit, such as"
              + " 'foo-controller'; a domain and '/' may stand before it");
    }
  }

  private static String host() {
    String name = System.getenv("HOSTNAME");
    return name == null || name.isBlank() ? "pid-" + ProcessHandle.current().pid() : name;
  }

  /**
   * Returns how many Events were dropped, because they were too many or incomplete, or the server
   * did not accept them.
   */
  public long dropped() {
    return made.stream().mapToLong(DefaultEventRecorder::dropped).sum();
  }

  /**
   * Stops all recorders. Pending Events are sent within 2 s if the server accepts them, and are
   * dropped otherwise.
   *
   * @param limit the time limit for all recorders together
   * @return whether all ended in time
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public boolean stop(Duration limit) throws InterruptedException {
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    synchronized (this) {
      stopped = true; // after any recorder that is being created
    }
    made.forEach(DefaultEventRecorder::flush);
    boolean ended = true;
    for (DefaultEventRecorder recorder : made) {
      ended &= recorder.stop(Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime())));
    }
    return ended;
  }
}
