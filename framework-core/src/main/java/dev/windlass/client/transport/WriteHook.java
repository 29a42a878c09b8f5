// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import dev.windlass.client.Client;

/**
 * Intercepts each write of a client on its way to the server, whether it comes from {@link Client}
 * or from the fabric8 client. Reads are not intercepted.
 *
 * <p>Called on any thread, including transport threads, so it must not block.
 */
@FunctionalInterface
public interface WriteHook {

  /** Does nothing. */
  WriteHook NONE = write -> Sent.IGNORED;

  /** Receives the outcome of a write that has been passed to the transport. */
  @FunctionalInterface
  interface Sent {

    /** For hooks that do not need the outcome. */
    Sent IGNORED = (code, body) -> {};

    /**
     * Reports that the write has ended. Called once, before the caller receives the response.
     *
     * @param code the HTTP status code; 0 if no response arrived, so that it is unknown whether the
     *     write took effect
     * @param body the body of the response; empty if there is none
     */
    void ended(int code, byte[] body);

    /**
     * Reports that the write was never sent, because a fence or an inner hook rejected it. Called
     * once, instead of {@link #ended}.
     */
    default void refused() {}
  }

  /**
   * Called before a write is passed to the transport.
   *
   * @return the receiver of the outcome
   * @throws RuntimeException to reject the write: it is not sent, and the caller receives this
   *     exception
   */
  Sent before(WriteRequest write);

  /** Returns a hook that calls this one first, and the inner one inside it. */
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

  /** The outcomes of two hooks; the inner one is called first. */
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
