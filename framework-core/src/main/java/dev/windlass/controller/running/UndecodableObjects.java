// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.events.EventRecorder;
import dev.windlass.failure.CauseChain;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.UndecodableException;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.workqueue.RecordingWorkQueue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Optional;

/**
 * Prevents retries for objects that cannot be decoded into their Java class. A retry cannot succeed
 * until the object changes, and each change causes a new reconcile anyway. This class reports each
 * undecodable object once, in one log line and one Event. It omits the log line if a list or an
 * index has already logged this version of the object, unless the object is being deleted. Other
 * objects of the type are not affected.
 *
 * <p>This class checks an object only after the object's reconcile has failed. It is thread-safe.
 */
final class UndecodableObjects {

  /** The reason of the recorded Event. */
  static final String REASON = "Undecodable";

  private final ObjectLookup lookup;
  private final EventRecorder recorder;
  private final RecordingWorkQueue<Request, KeyState> queue;

  UndecodableObjects(ControllerConfig config, RecordingWorkQueue<Request, KeyState> queue) {
    this.lookup = config.lookup();
    this.recorder = config.recorder();
    this.queue = queue;
  }

  /**
   * Returns a {@link TerminalException} if the object that the request names cannot be decoded into
   * its class. Otherwise, returns the given failure. If a different object cannot be decoded, the
   * reconcile is retried, because a change to that object may not cause another reconcile of the
   * request. This method never throws an exception. If the check fails, it returns the exception
   * that the check threw.
   */
  Throwable terminalOr(Throwable thrown, Request request) {
    if (!CauseChain.contains(thrown, UndecodableException.class)) {
      return thrown;
    }
    try {
      return checked(thrown, request);
    } catch (Throwable t) { // user code: the class of the object, or the recorder
      FatalErrors.rethrow(t);
      return t;
    }
  }

  private Throwable checked(Throwable thrown, Request request) {
    Optional<? extends CachedObject<?>> found = lookup.primary(request);
    if (found.isEmpty()) {
      return thrown;
    }
    try {
      found.get().decode();
      return thrown;
    } catch (NotCachedException e) {
      return thrown; // the reconciler cannot have read the object from the cache
    } catch (UndecodableException e) {
      return report(request, found.get(), e);
    }
  }

  private TerminalException report(
      Request request, CachedObject<?> object, UndecodableException e) {
    boolean deleting = object.deletionTimestamp().isPresent();
    String effect = deleting ? "it is not cleaned up, and its finalizers keep it" : "it is skipped";
    boolean isNew =
        queue.record(request, state -> state.isNewProblem(object.uid(), e.problem() + effect));
    if (isNew) {
      recorder.warning(
          reference(object),
          REASON,
          "%s %s. %s; until then %s"
              .formatted(object.type().kind(), e.problem(), e.remedy(), effect));
    }
    String message = "%s. %s; until then %s".formatted(e.getMessage(), e.remedy(), effect);
    boolean isLogged = !deleting && UndecodableException.Log.hasWarned(object);
    return new ReportedException(message, e, !isNew || isLogged);
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

  /** Indicates an undecodable object, about which an Event has been recorded. */
  static final class ReportedException extends TerminalException {

    private static final long serialVersionUID = 1L;

    /** Whether the object has been logged as well. */
    final boolean isLogged;

    ReportedException(String message, Throwable cause, boolean isLogged) {
      super(message, cause);
      this.isLogged = isLogged;
    }
  }
}
