// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.failure.CauseChain;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.UndecodableException;
import dev.windlass.scheduling.FatalErrors;
import java.util.Optional;

/**
 * The failure of a reconcile whose object cannot be decoded into its Java class. It is terminal: a
 * retry cannot succeed until the object changes, and each change causes a new reconcile anyway.
 */
final class UndecodableObject extends TerminalException {

  private static final long serialVersionUID = 1L;

  /** The text of the Event about the object. */
  final String event;

  /** What distinguishes the failure from others of the same object. */
  final String problem;

  /** Whether a list or an index has already logged this version of the object. */
  final boolean isLogged;

  private UndecodableObject(CachedObject<?> object, UndecodableException e, boolean deleting) {
    super("%s. %s".formatted(e.getMessage(), remedy(e, deleting)), e);
    event = "%s %s. %s".formatted(object.type().kind(), e.problem(), remedy(e, deleting));
    problem = e.problem() + deleting;
    isLogged = !deleting && UndecodableException.Log.hasWarned(object);
  }

  private static String remedy(UndecodableException e, boolean deleting) {
    return "%s; until then %s"
        .formatted(
            e.remedy(),
            deleting ? "it is not cleaned up, and its finalizers keep it" : "it is skipped");
  }

  /**
   * Returns an {@link UndecodableObject} if the object that the request names cannot be decoded
   * into its class. Otherwise, returns the given failure. If a different object cannot be decoded,
   * the reconcile is retried, because a change to that object may not cause another reconcile of
   * the request. This method never throws an exception. If the check fails, it returns the
   * exception that the check threw.
   */
  static Throwable orSame(Throwable thrown, Request request, ObjectLookup lookup) {
    if (!CauseChain.contains(thrown, UndecodableException.class)) {
      return thrown;
    }
    try {
      Optional<? extends CachedObject<?>> found = lookup.primary(request);
      return found.isPresent() ? orSame(thrown, found.get()) : thrown;
    } catch (Throwable t) { // user code: the class of the object
      FatalErrors.rethrow(t);
      return t;
    }
  }

  private static Throwable orSame(Throwable thrown, CachedObject<?> object) {
    try {
      object.decode();
      return thrown;
    } catch (NotCachedException e) {
      return thrown; // the reconciler cannot have read the object from the cache
    } catch (UndecodableException e) {
      return new UndecodableObject(object, e, object.deletionTimestamp().isPresent());
    }
  }
}
