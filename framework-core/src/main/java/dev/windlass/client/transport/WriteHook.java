// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import dev.windlass.client.Client;

/**
 * Intercepts each write of a client before it is sent to the server. Writes from {@link Client} and
 * from the fabric8 client are intercepted. Reads are not intercepted.
 *
 * <p>The methods can be called on any thread, including transport threads, and must not block.
 */
@FunctionalInterface
public interface WriteHook {

  /** A hook that does nothing. */
  WriteHook NONE = write -> Sent.IGNORED;

  /** Receives the outcome of a write that has been passed to the transport. */
  @FunctionalInterface
  interface Sent {

    /** A receiver that ignores the outcome. */
    Sent IGNORED = (code, body) -> {};

    /**
     * Reports that the write has completed. This method is called once, before the caller receives
     * the response.
     *
     * @param code the HTTP status code; 0 if no response arrived, so that it is unknown whether the
     *     write took effect
     * @param body the body of the response; empty if the response has no body
     */
    void ended(int code, byte[] body);

    /**
     * Reports that the write was not sent, because a fence or an inner hook rejected it. This
     * method is called once, instead of {@link #ended}.
     */
    default void refused() {}
  }

  /**
   * Intercepts a write before it is passed to the transport.
   *
   * @return the receiver of the outcome
   * @throws RuntimeException if the hook rejects the write; the write is not sent, and the caller
   *     receives this exception
   */
  Sent before(WriteRequest write);

  /** Returns a hook that calls this hook first, and then the inner hook. */
  default WriteHook around(WriteHook inner) {
    return write -> {
      Sent outerSent = before(write);
      Sent innerSent;
      try {
        innerSent = inner.before(write);
      } catch (RuntimeException | Error e) {
        outerSent.refused();
        throw e;
      }
      return new Both(outerSent, innerSent);
    };
  }

  /** The receivers of two hooks. The inner receiver is called first. */
  record Both(Sent outer, Sent inner) implements Sent {
    @Override
    public void ended(int code, byte[] body) {
      try {
        inner.ended(code, body);
      } finally {
        outer.ended(code, body);
      }
    }

    @Override
    public void refused() {
      try {
        inner.refused();
      } finally {
        outer.refused();
      }
    }
  }
}
