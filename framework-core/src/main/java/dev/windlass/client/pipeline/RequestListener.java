// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import io.fabric8.kubernetes.client.http.HttpRequest;
import org.slf4j.LoggerFactory;

/**
 * Observes each HTTP request of a client. The requests include reads, writes, lists and watches by
 * our own client, the fabric8 client, informers and leader electors. They include the handshakes of
 * WebSockets (exec, attach, port-forward). The metrics for API requests are based on this
 * interface.
 *
 * <p>Any thread, including transport threads, can call the methods. The methods must not block. If
 * a method throws an exception, the client logs the exception and otherwise ignores it.
 */
@FunctionalInterface
public interface RequestListener {

  /** A listener that ignores all requests. */
  RequestListener NONE = request -> Answered.IGNORED;

  /** Receives the outcome of a request that has been passed to the transport. */
  @FunctionalInterface
  interface Answered {

    /** A receiver that ignores the outcome. */
    Answered IGNORED = (code, bytes) -> {};

    /**
     * Receives the outcome. The client calls this method once, when the response has arrived or the
     * request has been aborted. For a stream, the client calls this method when the stream begins.
     *
     * @param code the HTTP status code, or 0 if no response arrived
     * @param bytes the length of the response body, or -1 if the length is unknown, for example for
     *     a stream
     */
    void answered(int code, long bytes);
  }

  /**
   * Observes a request before the client passes it to the transport. The client may not report
   * requests that a fence or a {@link WriteHook} rejects.
   *
   * @return the receiver of the outcome
   */
  Answered sending(HttpRequest request);

  /** Returns a listener that calls this listener first, and then the given one. */
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
