// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.TerminalException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Reads the objects of requests: from the cache with the process's own writes, as {@code
 * Client.get} does, and from the server where these are not known.
 *
 * @param <T> the primary type
 */
public record PrimaryReads<T extends HasMetadata>(InformerSource<T> objects, LiveReads<T> server) {

  /**
   * The object of a request; empty if there is none.
   *
   * @throws TerminalException if the request names a cluster where the objects are not
   */
  public Optional<T> get(Request request) throws TerminalException {
    String cluster = server.spec().cluster();
    if (!request.cluster().equals(cluster)) {
      throw new TerminalException(
          "the objects of the primary type are in the cluster '%s', and the request %s is for one in '%s': make it by Request.inCluster(\"%s\"), or use reconciler(...), which reads the object itself"
              .formatted(cluster, request, request.cluster(), cluster));
    }
    return objects.get(request.key(), server);
  }
}
