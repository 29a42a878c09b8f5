// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.events.EventRecorder;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
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

/**
 * Creates and stops a program's Event recorders. Each component that records Events has its own
 * recorder. This class is thread-safe.
 */
public final class EventBroadcaster {

  /**
   * The format that the API server requires for a reportingController: a name, which a domain and a
   * slash can precede.
   */
  private static final Pattern QUALIFIED_NAME =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  /** The maximum length of the domain that precedes the name, including the slash. */
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

  /**
   * The recorders, without those that were never used, as a list that can be read without the lock.
   */
  private final List<DefaultEventRecorder> made = new CopyOnWriteArrayList<>();

  /** The default rate: each recorder sends at most 50 Events per second, with bursts of 100. */
  public static final int PER_SECOND = 50;

  /** The maximum rate of a recorder: 1,000 Events per second. */
  private static final int MOST_PER_SECOND = 1_000;

  /**
   * Creates a broadcaster without recorders.
   *
   * @param client the client that sends the Events
   * @param clock the clock for the times in the Events
   * @param perSecond the maximum number of Events that each recorder sends per second, with bursts
   *     of twice this number; typically {@link #PER_SECOND}
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
   * Returns the recorder of a component. Its thread starts with its first Event, because most
   * controllers never record one. Calls with the same name return recorders that share a thread.
   *
   * @param component the component's name, which becomes the Events' {@code reportingController}.
   *     Their {@code reportingInstance} consists of this name and the value of the environment
   *     variable {@code HOSTNAME}. In a Pod, this value is the Pod's name. If the variable is not
   *     set, the process ID is used instead
   * @throws IllegalArgumentException if the API server would reject the name
   */
  public EventRecorder recorder(String component) {
    checkName(component);
    return (regarding, related, type, reason, action, message) ->
        started(component).record(regarding, related, type, reason, action, message);
  }

  private synchronized DefaultEventRecorder started(String component) {
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

  /**
   * Returns the recorders' loops, which health checks monitor. The list is empty after {@link
   * #stop}.
   */
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
              + " 'foo-controller'; a domain and '/' can precede it");
    }
  }

  private static String host() {
    String name = System.getenv("HOSTNAME");
    return name == null || name.isBlank() ? "pid-" + ProcessHandle.current().pid() : name;
  }

  /**
   * Returns the number of Events that have been dropped. An Event is dropped if too many Events are
   * recorded, if its object is incomplete, or if the server does not accept it.
   */
  public long dropped() {
    return made.stream().mapToLong(DefaultEventRecorder::dropped).sum();
  }

  /**
   * Stops all recorders. They send pending Events for up to 2 s, and then drop the rest.
   *
   * @param limit the time limit for all recorders together
   * @return whether all recorders stopped within the limit
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean stop(Duration limit) throws InterruptedException {
    Deadline deadline = Deadline.in(limit, scheduler);
    synchronized (this) {
      stopped = true; // the lock waits for a recorder that is being created
    }
    made.forEach(DefaultEventRecorder::flush);
    boolean ended = true;
    for (DefaultEventRecorder recorder : made) {
      ended &= recorder.stop(deadline.left());
    }
    return ended;
  }
}
