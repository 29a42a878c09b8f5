// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Looks up the current states of the objects that a controller watches, in its caches. */
public interface ObjectLookup {

  /** An implementation that provides no objects. */
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
