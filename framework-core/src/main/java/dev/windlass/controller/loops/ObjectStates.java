// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loops;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Provides the current states of the objects that a controller watches, from its caches. */
public interface ObjectStates {

  /** An implementation that provides no objects. */
  ObjectStates NONE =
      new ObjectStates() {
        @Override
        public Optional<? extends CachedObject<?>> primary(Request request) {
          return Optional.empty();
        }

        @Override
        public Optional<? extends CachedObject<?>> behind(Object reason) {
          return Optional.empty();
        }
      };

  /** Records an object that a reconcile has created or applied. */
  default void made(HasMetadata object) {}

  /** Returns the object that a request reconciles. */
  Optional<? extends CachedObject<?>> primary(Request request);

  /**
   * Returns the object whose event was the reason for a request, or empty if the reason was not an
   * event.
   */
  Optional<? extends CachedObject<?>> behind(Object reason);
}
