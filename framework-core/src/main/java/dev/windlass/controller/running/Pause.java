// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.events.EventRecorder;
import dev.windlass.object.CachedObject;
import dev.windlass.workqueue.RecordingWorkQueue;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Skips paused objects. An object is paused while it has the annotation that was passed to {@code
 * ControllerBuilder.pausedBy}, with any value except {@code false}. This class logs each pause and
 * each resumption once. It also records an Event. This class is thread-safe.
 */
public final class Pause {

  private static final Logger log = ControllerLog.get();

  private final ObjectLookup lookup;
  private final RecordingWorkQueue<Request, KeyState> queue;
  private final @Nullable String annotation;
  private final EventRecorder recorder;

  Pause(ControllerConfig config, RecordingWorkQueue<Request, KeyState> queue) {
    this.lookup = config.lookup();
    this.queue = queue;
    this.annotation = config.options().pausedBy;
    this.recorder = config.recorder();
  }

  /** Returns whether to skip the reconcile of a request, because its object is paused. */
  boolean holds(Request request) {
    String name = annotation;
    if (name == null) {
      return false;
    }
    CachedObject<?> object = lookup.primary(request).orElse(null);
    boolean paused = object != null && isPaused(object, name);
    String uid = object != null && paused ? object.uid() : null;
    String before = queue.record(request, state -> state.pause(uid));
    if (object != null && paused && !object.uid().equals(before)) {
      tell(object, "Paused", "not reconciled while it has the annotation " + name);
    } else if (object != null && !paused && object.uid().equals(before)) {
      tell(object, "Resumed", "reconciled again, as the annotation " + name + " is gone");
    }
    return paused;
  }

  private void tell(CachedObject<?> object, String reason, String message) {
    log.info("{} '{}' is {}", object.type().kind(), object.key(), message);
    recorder.normal(FailureEvents.reference(object), reason, message);
  }

  /** Returns whether the object has the annotation with any value except {@code false}. */
  public static boolean isPaused(CachedObject<?> object, String annotation) {
    Map<String, String> annotations = object.metadata().getAnnotations();
    return annotations != null
        && annotations.containsKey(annotation)
        && !"false".equals(annotations.get(annotation));
  }
}
