// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.client.Client;
import dev.windlass.controller.reconcile.Request;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * Gives the reconciles of a controller access to a client and to secondary objects from the caches.
 * Secondary objects are those that the reconciled object controls.
 */
public interface ObjectAccess {

  Client client(Request request);

  /** Returns the objects of the given type whose controller is the request's object. */
  <S extends HasMetadata> List<S> secondaries(Class<S> type, Request request);
}
