// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import dev.windlass.events.EventRecorder;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning when Events are lost, and repeats it every 2 min while Events continue to be lost,
 * unless the program lacks the permission, which it can do without. Between two warnings, it logs
 * each failure to send an Event at debug level. Only the sending thread uses this class.
 */
final class LostEventsLog {

  /** The interval at which the warning is repeated. */
  static final Duration REMINDER = Duration.ofMinutes(2);

  /** The maximum length of a server message that is quoted in a log line. */
  private static final int LONGEST = 500;

  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  private final Scheduler scheduler;
  private boolean logged;
  private boolean forbiddenLogged;
  private long loggedAt;
  private long crowdedLogged;
  private long crowdedLoggedAt;

  LostEventsLog(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Logs a warning if more Events have been dropped because too many were pending.
   *
   * @param number the total number of Events that have been dropped for this reason
   */
  void crowded(long number) {
    long now = scheduler.nanoTime();
    if (number == crowdedLogged
        || (crowdedLogged > 0 && now - crowdedLoggedAt < REMINDER.toNanos())) {
      return;
    }
    log.warn(
        "Dropped {} Events, because more than {} were waiting to be sent; Warnings are dropped"
            + " last. If this continues, raise windlass.events.per-second, or record fewer Events",
        number - crowdedLogged,
        EventCorrelator.CAPACITY);
    crowdedLogged = number;
    crowdedLoggedAt = now;
  }

  /** Logs that an Event has been dropped because it could not be sent. */
  void dropped(Event event, RuntimeException failure) {
    ObjectReference about = event.getRegarding();
    String subject =
        OneLine.of("%s %s/%s".formatted(about.getKind(), about.getNamespace(), about.getName()));
    String why = why(event, failure);
    long now = scheduler.nanoTime();
    boolean isKnown =
        (forbiddenLogged && isForbidden(failure))
            || FailureAdvice.of(failure).filter(LostEventsLog::isOfNamespace).isPresent();
    if (isKnown || (logged && now - loggedAt < REMINDER.toNanos())) {
      log.debug("Dropped an Event about {}: {}", subject, why);
      return;
    }
    logged = true;
    forbiddenLogged |= isForbidden(failure);
    loggedAt = now;
    log.warn("Dropped an Event about {}: {}", subject, why);
  }

  /** Returns whether the Event is about an object that goes, or has gone, with its namespace. */
  private static boolean isOfNamespace(FailureAdvice advice) {
    return advice.problem() == FailureCause.NAMESPACE_TERMINATING
        || advice.problem() == FailureCause.NAMESPACE_MISSING;
  }

  private static boolean isForbidden(RuntimeException failure) {
    return failure instanceof KubernetesClientException e
        && e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
  }

  /**
   * Returns the server's message, or the exception's message if there is none. The server's message
   * is preferred because fabric8's exception message repeats it in a longer text.
   */
  private static String reason(RuntimeException failure) {
    if (failure instanceof KubernetesClientException e
        && e.getStatus() != null
        && e.getStatus().getMessage() != null) {
      return e.getStatus().getMessage();
    }
    return String.valueOf(failure.getMessage());
  }

  /**
   * Returns the failure cause. If there is advice on how to resolve the failure, the result
   * consists of the advice, followed by the cause in parentheses.
   */
  private static String why(Event event, RuntimeException failure) {
    String said = OneLine.of(reason(failure), LONGEST);
    RequiredPermission access =
        new RequiredPermission(
            List.of("create", "patch"),
            "events",
            "events.k8s.io",
            OneLine.of(event.getMetadata().getNamespace()));
    return FailureAdvice.of(failure)
        .map(advice -> advice.about(access) + " (" + said + ")")
        .orElse(said);
  }
}
