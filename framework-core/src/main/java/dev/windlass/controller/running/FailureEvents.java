// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.ApiException;
import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.failure.CauseChain;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.ProgramFaults;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.workqueue.RecordingWorkQueue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Records an Event about an object whose reconcile keeps failing: once per cause and hour, until a
 * reconcile succeeds. The Event tells those who see the object, but not the log, what they can do.
 * A failure of the API server as a whole is not recorded: it affects every object.
 */
final class FailureEvents {

  /** The reason of the recorded Event. */
  static final String REASON = "ReconcileFailed";

  /** The reason of the Event about an object that cannot be decoded into its class. */
  static final String UNDECODABLE = "Undecodable";

  /** How long a request must have been failing, because most failures are over soon: 10 s. */
  static final Duration LASTING = Duration.ofSeconds(10);

  private final ControllerConfig config;
  private final RecordingWorkQueue<Request, KeyState> queue;

  FailureEvents(ControllerConfig config, RecordingWorkQueue<Request, KeyState> queue) {
    this.config = config;
    this.queue = queue;
  }

  /**
   * Records an Event, if one is due. An object that cannot be decoded has an Event at once: its
   * failure does not end by itself.
   *
   * @param text the failure and its remedy, as in the log
   * @param lasting how long the request must have been failing
   */
  void failed(Request request, Throwable thrown, String text, Duration lasting) {
    Optional<UndecodableObject> undecodable = CauseChain.find(thrown, UndecodableObject.class);
    if (undecodable.isPresent()) {
      UndecodableObject failure = undecodable.get();
      if (isDue(request, failure.problem, Duration.ZERO)) {
        record(request, UNDECODABLE, kind -> failure.event);
      }
      return;
    }
    Optional<FailureCause> cause = FailureAdvice.of(thrown).map(FailureAdvice::problem);
    String key = cause.map(FailureCause::name).orElse(thrown.getClass().getName());
    if (cause.filter(FailureEvents::isOfServer).isEmpty() && isDue(request, key, lasting)) {
      boolean isOfApi = CauseChain.contains(thrown, ApiException.class);
      String shown = isOfApi ? text : SafeCauseText.clean(text);
      record(request, REASON, kind -> shown + remedy(cause, thrown).formatted(kind));
    }
  }

  private void record(Request request, String reason, UnaryOperator<String> textForKind) {
    try {
      Optional<? extends CachedObject<?>> object = config.lookup().primary(request);
      object.ifPresent(
          o -> config.recorder().warning(reference(o), reason, textForKind.apply(o.type().kind())));
    } catch (Throwable t) { // user code: the recorder, which must not keep a request from its retry
      FatalErrors.rethrow(t);
      SafeLog.error("{}: No Event could be recorded", config.name(), t);
    }
  }

  /** Returns a copy of an object that contains only the fields that an Event requires. */
  static GenericKubernetesResource reference(CachedObject<?> object) {
    GenericKubernetesResource reference = new GenericKubernetesResource();
    reference.setApiVersion(object.type().apiVersion());
    reference.setKind(object.type().kind());
    reference.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(object.key().namespace().isEmpty() ? null : object.key().namespace())
            .withName(object.key().name())
            .withUid(object.uid())
            .withResourceVersion(object.resourceVersion())
            .build());
    return reference;
  }

  private boolean isDue(Request request, String cause, Duration lasting) {
    long now = config.scheduler().nanoTime();
    return queue.record(
        request,
        state -> state.failures().map(f -> f.isEventDue(cause, lasting, now)).orElse(false));
  }

  private static boolean isOfServer(FailureCause cause) {
    return switch (cause) {
      case UNREACHABLE,
          TIMEOUT,
          TLS_NOT_TRUSTED,
          UNAUTHORIZED,
          ANONYMOUS,
          TOO_MANY_REQUESTS,
          SERVER_ERROR,
          VERSION_TOO_LARGE,
          EXPIRED,
          MALFORMED ->
          true;
      default -> false;
    };
  }

  /** Returns who can correct the failure, if its text does not say that. */
  private static String remedy(Optional<FailureCause> cause, Throwable thrown) {
    if (ProgramFaults.isPanic(thrown)) {
      return ". This is an error in the controller: report it to its developers";
    }
    return cause
        .map(
            found ->
                switch (found) {
                  case FORBIDDEN, UNKNOWN_TYPE, NO_SUBRESOURCE, NO_WATCH, WEBHOOK_FAILED ->
                      ". This is a task for an administrator of the cluster: no change of the %s"
                          + " helps";
                  case INVALID -> ". If a value in the %s causes this, correct the %1$s";
                  default -> "";
                })
        .orElse("");
  }
}
