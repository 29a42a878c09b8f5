// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.Request;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Reads the objects of requests: from the cache with the process's own writes, as {@code
 * Client.get} does, and from the server where these are not known.
 *
 * @param <T> the primary type
 */
record PrimaryReads<T extends HasMetadata>(InformerSource<T> objects, LiveReads<T> server) {

  /** The object of a request; empty if there is none. */
  Optional<T> get(Request request) {
    return objects.get(request.key(), server);
  }
}
