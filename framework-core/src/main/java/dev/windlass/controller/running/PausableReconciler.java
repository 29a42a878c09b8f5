// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.loopdetection.ObjectLookup;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.logging.OneLine;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;

/**
 * A reconciler that skips paused objects, and passes the requests for all other objects to another
 * reconciler. An object is paused while it has the annotation that was passed to {@code
 * ControllerBuilder.pausedBy}, with any value except {@code false}. This class logs each pause and
 * each resumption once. It also records an Event. This class is thread-safe.
 */
public final class PausableReconciler implements Reconciler {

  private static final Logger log = ControllerLog.get();

  /**
   * The pattern of the annotation keys that the API server accepts ({@code ValidateAnnotations}).
   */
  private static final Pattern ANNOTATION =
      Pattern.compile(
          "(?:(?=[^/]{1,253}/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*/)?"
              + "[a-z0-9](?:[-a-z0-9_.]{0,61}[a-z0-9])?",
          Pattern.CASE_INSENSITIVE);

  private final Reconciler reconciler;
  private final ObjectLookup lookup;
  private final String annotation;
  private final EventRecorder recorder;

  /** The uids of the objects that were reported as paused, keyed by object key. */
  private final Map<ObjectKey, String> paused = new ConcurrentHashMap<>();

  /**
   * Creates a reconciler that wraps the given one.
   *
   * @param lookup looks up the object of a request
   * @param recorder the recorder for Events
   */
  public PausableReconciler(
      Reconciler reconciler, ObjectLookup lookup, String annotation, EventRecorder recorder) {
    this.reconciler = reconciler;
    this.lookup = lookup;
    this.annotation = annotation;
    this.recorder = recorder;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Optional<? extends CachedObject<?>> found = lookup.primary(request);
    if (found.isEmpty()) {
      paused.remove(request.key());
    } else {
      CachedObject<?> object = found.get();
      if (isPaused(object, annotation)) {
        if (!object.uid().equals(paused.put(object.key(), object.uid()))) {
          tell(object, "Paused", "not reconciled while it has the annotation " + annotation);
        }
        return Result.done();
      }
      if (paused.remove(object.key(), object.uid())) {
        tell(object, "Resumed", "reconciled again, as the annotation " + annotation + " is gone");
      }
    }
    return reconciler.reconcile(request, context);
  }

  private void tell(CachedObject<?> object, String reason, String message) {
    log.info("{} '{}' is {}", object.type().kind(), object.key(), message);
    recorder.normal(UndecodableObjects.reference(object), reason, message);
  }

  /**
   * Checks that an annotation key is valid, and returns it.
   *
   * @throws IllegalArgumentException if the API server would reject an annotation with this key
   */
  public static String checked(String annotation) {
    if (!ANNOTATION.matcher(annotation).matches()) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(annotation, 100)
              + "' can't be the name of an annotation; use a domain and a name, such as"
              + " 'example.com/paused'");
    }
    return annotation;
  }

  /** Returns whether the object has the annotation with any value except {@code false}. */
  static boolean isPaused(CachedObject<?> object, String annotation) {
    Map<String, String> annotations = object.metadata().getAnnotations();
    return annotations != null
        && annotations.containsKey(annotation)
        && !"false".equals(annotations.get(annotation));
  }

  /**
   * Returns a predicate that accepts an event if the event ends a pause, or if the given predicate
   * accepts it.
   */
  public static <T> EventPredicate<T> orResumed(String annotation, EventPredicate<T> others) {
    return EventPredicate.<T>anyOf(
        List.of(
            others,
            event ->
                event instanceof ResourceEvent.Updated<?> updated
                    && isPaused(updated.old(), annotation)
                    && !isPaused(updated.object(), annotation)));
  }

  @Override
  public String toString() {
    return reconciler.toString();
  }
}
