// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

/**
 * Intercepts each write before the client sends it to the server. This applies to writes through
 * our own client and through the fabric8 client. Reads are not intercepted.
 *
 * <p>Any thread, including transport threads, can call the methods. The methods must not block.
 */
@FunctionalInterface
public interface WriteHook {

  /** A hook that does nothing. */
  WriteHook NONE = write -> Sent.IGNORED;

  /** Receives the outcome of a write that has been passed to the transport. */
  @FunctionalInterface
  interface Sent {

    /** A receiver that ignores the outcome. */
    Sent IGNORED = response -> {};

    /**
     * Receives the outcome. The client calls this method once, after the write has completed and
     * before the caller receives the response.
     */
    void ended(WriteResponse response);

    /**
     * Reports that the write was not sent, because a fence or an inner hook (see {@link
     * WriteHook#around}) has rejected it. The client calls this method once, and does not call
     * {@link #ended}.
     */
    default void refused() {}

    /**
     * Reports that nobody waits for the outcome any more, while the server may have performed the
     * write. The client can call this method more than once, and later reports the outcome.
     */
    default void abandoned() {}
  }

  /**
   * Intercepts a write before the client passes it to the transport.
   *
   * @return the receiver of the outcome
   * @throws RuntimeException if the hook rejects the write; the write is not sent, and the caller
   *     receives this exception
   */
  Sent before(WriteRequest write);

  /** Returns a hook that calls this hook first, and then the given inner hook. */
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

  /**
   * Forwards the outcome of a write to the receivers of two hooks, first to the inner and then to
   * the outer one.
   */
  record Both(Sent outer, Sent inner) implements Sent {
    @Override
    public void ended(WriteResponse response) {
      try {
        inner.ended(response);
      } finally {
        outer.ended(response);
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

    @Override
    public void abandoned() {
      try {
        inner.abandoned();
      } finally {
        outer.abandoned();
      }
    }
  }
}
