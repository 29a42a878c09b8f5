// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.logging.ReportedProblems;
import dev.windlass.controller.loopdetection.ObjectLookup;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.events.EventRecorder;
import dev.windlass.failure.CauseChain;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reconciler that prevents retries for objects that cannot be decoded into their Java class. It
 * wraps another reconciler. A retry cannot succeed until the object changes, and that change leads
 * to an event. Each undecodable object is reported once, in one log line and one Event. Other
 * objects of the type are not affected.
 *
 * <p>The object is checked only if the wrapped reconciler fails. This class is thread-safe.
 */
public final class DecodableOnlyReconciler implements Reconciler {

  /** The reason of the recorded Event. */
  static final String REASON = "Undecodable";

  private final Reconciler reconciler;
  private final ObjectLookup lookup;
  private final @Nullable EventRecorder recorder;
  private final ReportedProblems reported = new ReportedProblems();

  /**
   * Creates a reconciler that wraps the given one.
   *
   * @param lookup looks up the object of a request
   * @param recorder the recorder for Events, or null to record none
   */
  public DecodableOnlyReconciler(
      Reconciler reconciler, ObjectLookup lookup, @Nullable EventRecorder recorder) {
    this.reconciler = reconciler;
    this.lookup = lookup;
    this.recorder = recorder;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Result result;
    try {
      result = reconciler.reconcile(request, context);
    } catch (Exception e) {
      if (CauseChain.contains(e, UndecodableException.class)) {
        failForGood(request);
      }
      throw e; // concerns another object, which can change without an event for this one
    }
    reported.forget(request.key());
    return result;
  }

  /** Throws an exception if the object of the request itself cannot be decoded into its class. */
  private void failForGood(Request request) throws TerminalException {
    Optional<? extends CachedObject<?>> found = lookup.primary(request);
    if (found.isEmpty()) {
      return;
    }
    CachedObject<?> object = found.get();
    try {
      object.decode();
    } catch (NotCachedException e) {
      return; // the reconciler cannot have read the object from the cache
    } catch (UndecodableException e) {
      boolean deleting = object.deletionTimestamp().isPresent();
      String effect =
          deleting ? "it is not cleaned up, and its finalizers keep it" : "it is skipped";
      boolean isNew = reported.add(request.key(), object.uid(), e.problem() + effect);
      if (isNew && recorder != null) {
        recorder.warning(
            reference(object),
            REASON,
            "%s %s. %s; until then %s"
                .formatted(object.type().kind(), e.problem(), e.remedy(), effect));
      }
      String message = "%s. %s; until then %s".formatted(e.getMessage(), e.remedy(), effect);
      throw isNew ? new TerminalException(message, e) : new AlreadyReportedException(message, e);
    }
  }

  /** Returns a copy with the fields of an object that an Event requires. */
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

  @Override
  public String toString() {
    return reconciler.toString();
  }

  /** Thrown for a failure that has already been reported. */
  static final class AlreadyReportedException extends TerminalException {

    private static final long serialVersionUID = 1L;

    AlreadyReportedException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
