// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Looks up, in a controller's caches, the objects that the controller watches. */
public interface ObjectLookup {

  /** An implementation that does not provide objects. */
  ObjectLookup NONE =
      new ObjectLookup() {
        @Override
        public Optional<? extends CachedObject<?>> primary(Request request) {
          return Optional.empty();
        }

        @Override
        public Optional<? extends CachedObject<?>> behind(Object reason) {
          return Optional.empty();
        }
      };

  /** Receives an object that a reconcile has created or applied. */
  default void made(HasMetadata object) {}

  /** Returns the object that the request identifies, or empty if no cache holds it. */
  Optional<? extends CachedObject<?>> primary(Request request);

  /**
   * Returns the object whose event is the given reason for a request, or empty if the reason is not
   * an event.
   */
  Optional<? extends CachedObject<?>> behind(Object reason);
}
