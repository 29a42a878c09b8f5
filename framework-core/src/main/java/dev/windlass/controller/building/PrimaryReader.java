// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.TerminalException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Reads the object that a request identifies. Like {@code Client.get}, it reads from the cache,
 * overlaid with this process's own writes. If the outcome of a write to the object is unknown, it
 * reads the object from the server.
 *
 * @param <T> the primary type
 */
record PrimaryReader<T extends HasMetadata>(InformerSource<T> objects, LiveReader<T> server) {

  /**
   * Returns the object that the request identifies, or empty if it does not exist.
   *
   * @throws TerminalException if the request is for a cluster other than the primary type's
   *     cluster, or if its key contains a namespace although the primary type is cluster-scoped, or
   *     lacks one although the type is namespaced
   */
  public Optional<T> get(Request request) throws TerminalException {
    String cluster = server.spec().cluster();
    if (!request.cluster().equals(cluster)) {
      throw new TerminalException(
          "the request %s names the cluster '%s', but the primary type is in the cluster '%s': create it with Request.inCluster(\"%s\"), or use reconciler(...), which reads the object itself"
              .formatted(request, request.cluster(), cluster, cluster));
    }
    try {
      server.spec().type().requireScope(request.key());
    } catch (IllegalArgumentException e) {
      throw new TerminalException("no object can match the request: " + e.getMessage(), e);
    }
    return objects.get(request.key(), server);
  }
}
