// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.client.http.HttpRequest;
import org.slf4j.LoggerFactory;

/**
 * Hears of each HTTP request of a client: reads, writes, lists and watches, of {@link Client}, of
 * the fabric8 client, of informers and of electors alike. Web sockets (exec, attach, port-forward)
 * are not shown. Metrics are made of it.
 *
 * <p>Called by any thread, also those of the transport; it must not block, and what it throws is
 * logged and harms nobody.
 */
@FunctionalInterface
public interface RequestListener {

  /** Hears nothing. */
  RequestListener NONE = request -> Answered.IGNORED;

  /** A request that has been handed to the transport. */
  @FunctionalInterface
  interface Answered {

    /** For listeners that have nothing to do afterwards. */
    Answered IGNORED = (code, bytes) -> {};

    /**
     * It has been answered, or given up. Called once; for a stream when it begins.
     *
     * @param code of HTTP; 0 if no answer came
     * @param bytes how long the body of the answer was; -1 if that is not known, as of a stream
     */
    void answered(int code, long bytes);
  }

  /**
   * A request is about to be handed to the transport. One that a fence or a {@link WriteHook}
   * refuses may not be shown.
   *
   * @return to be told how it ends
   */
  Answered sending(HttpRequest request);

  /** Tells this one, and then the other. */
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
