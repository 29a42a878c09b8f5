// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import dev.windlass.client.Client;
import io.fabric8.kubernetes.client.http.HttpRequest;
import org.slf4j.LoggerFactory;

/**
 * Observes each HTTP request of a client: reads, writes, lists and watches, from {@link Client},
 * the fabric8 client, informers and electors alike. Web sockets (exec, attach, port-forward) are
 * not reported. Metrics are based on it.
 *
 * <p>Called on any thread, including transport threads; it must not block. Exceptions that it
 * throws are logged and have no other effect.
 */
@FunctionalInterface
public interface RequestListener {

  /** Ignores all requests. */
  RequestListener NONE = request -> Answered.IGNORED;

  /** Receives the outcome of a request that has been passed to the transport. */
  @FunctionalInterface
  interface Answered {

    /** For listeners that do not need the outcome. */
    Answered IGNORED = (code, bytes) -> {};

    /**
     * Reports that the request has a response or was abandoned. Called once; for a stream, when it
     * begins.
     *
     * @param code the HTTP status code; 0 if no response arrived
     * @param bytes the length of the response body; -1 if it is unknown, as for a stream
     */
    void answered(int code, long bytes);
  }

  /**
   * Called before a request is passed to the transport. Requests that a fence or a {@link
   * WriteHook} rejects are not necessarily reported.
   *
   * @return the receiver of the outcome
   */
  Answered sending(HttpRequest request);

  /** Returns a listener that calls this one, and then the other. */
  default RequestListener and(RequestListener other) {
    if (this == NONE || other == NONE) {
      return this == NONE ? other : this;
    }
    return request -> {
      Answered first = sending(request);
      Answered second;
      try {
        second = other.sending(request);
      } catch (RuntimeException | Error e) {
        LoggerFactory.getLogger(RequestListener.class).error("{} failed", other, e);
        return first;
      }
      return (code, bytes) -> {
        try {
          first.answered(code, bytes);
        } finally {
          second.answered(code, bytes);
        }
      };
    };
  }
}
