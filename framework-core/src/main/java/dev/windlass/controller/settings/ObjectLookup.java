// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks up watched objects in a controller's caches. */
public interface ObjectLookup {

  /** Receives an object that a reconcile has created or applied. */
  default void made(HasMetadata object) {}

  /**
   * Receives an existing object whose name a reconcile of the given request needs, but that it does
   * not control.
   */
  default void blocked(Request request, ObjectKey object) {}

  /** Returns the object that the request identifies, or empty if no cache contains it. */
  Optional<? extends CachedObject<?>> primary(Request request);

  /** Returns the requests of all objects of the primary type in the cache. */
  default Stream<Request> primaries() {
    return Stream.empty();
  }

  /**
   * Returns the object whose event caused a request. Returns empty if the given reason is not an
   * event, or if no cache contains the object.
   *
   * @param reason a reason why the request was queued
   */
  Optional<? extends CachedObject<?>> behind(Object reason);
}
