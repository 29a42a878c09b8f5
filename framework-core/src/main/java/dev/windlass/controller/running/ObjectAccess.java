// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.Client;
import dev.windlass.controller.reconcile.Request;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * Gives the reconciles of a controller access to a client and to secondary objects from the caches.
 * Secondary objects are those that the reconciled object controls.
 */
public interface ObjectAccess {

  /**
   * An implementation for tests without an API server. Its methods throw an {@link
   * IllegalStateException}.
   */
  ObjectAccess NONE =
      new ObjectAccess() {
        @Override
        public Client client(Request request) {
          throw new IllegalStateException("this context has no client");
        }

        @Override
        public <S extends HasMetadata> List<S> secondaries(Class<S> type, Request request) {
          throw new IllegalStateException("this context has no caches");
        }
      };

  /** Returns the client for the cluster of the given request. */
  Client client(Request request);

  /** Returns the objects of the given type whose controller is the request's object. */
  <S extends HasMetadata> List<S> secondaries(Class<S> type, Request request);
}
