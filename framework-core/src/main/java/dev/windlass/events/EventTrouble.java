// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import dev.windlass.object.OneLine;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a person that Events are lost: once, and again every two minutes while they are. What else
 * is lost is a debug line. Of the sending thread only.
 */
final class EventTrouble {

  /** How often it is told. */
  static final Duration REMINDER = Duration.ofMinutes(2);

  /** The longest quotation of what the server said. */
  private static final int LONGEST = 500;

  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  private final Scheduler scheduler;
  private boolean told;
  private long toldAt;

  EventTrouble(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The Event can't be sent. */
  void dropped(Event event, RuntimeException failure) {
    ObjectReference about = event.getRegarding();
    String subject =
        OneLine.of("%s %s/%s".formatted(about.getKind(), about.getNamespace(), about.getName()));
    String why = OneLine.of(reason(failure), LONGEST);
    long now = scheduler.nanoTime();
    if (told && now - toldAt < REMINDER.toNanos()) {
      log.debug("An event about {} is dropped: {}", subject, why);
      return;
    }
    told = true;
    toldAt = now;
    log.warn("An event about {} is dropped: {}{}", subject, why, cure(event, failure));
  }

  /** The server's own words, if it said something: fabric8's message repeats them in full. */
  private static String reason(RuntimeException failure) {
    if (failure instanceof KubernetesClientException e
        && e.getStatus() != null
        && e.getStatus().getMessage() != null) {
      return e.getStatus().getMessage();
    }
    return String.valueOf(failure.getMessage());
  }

  private static String cure(Event event, RuntimeException failure) {
    return failure instanceof KubernetesClientException e
            && e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        ? " If this identity may not write Events, grant it the verbs create and patch on events"
            + " of the group events.k8s.io in namespace "
            + OneLine.of(event.getMetadata().getNamespace())
        : "";
  }
}
