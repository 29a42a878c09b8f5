// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

/**
 * Stands around each write of a client on its way to the server: those of {@link Client} and those
 * of the fabric8 client alike, whoever sends them and however. Reads are not shown.
 *
 * <p>Called by any thread, also those of the transport, so it must not block.
 */
@FunctionalInterface
public interface WriteHook {

  /** Does nothing. */
  WriteHook NONE = write -> Sent.IGNORED;

  /** A write that has been handed to the transport. */
  @FunctionalInterface
  interface Sent {

    /** For hooks that have nothing to do afterwards. */
    Sent IGNORED = (code, body) -> {};

    /**
     * It has ended. Called once, before whoever wrote hears of it.
     *
     * @param code of HTTP; 0 if no answer came, so that it is not known whether it was done
     * @param body of the answer; empty without one
     */
    void ended(int code, byte[] body);

    /** It was never sent: a fence refused it. Called once, in place of {@link #ended}. */
    default void refused() {}
  }

  /**
   * A write is about to be handed to the transport.
   *
   * @return to be told how it ends
   * @throws RuntimeException to refuse it: it is not sent, and whoever writes gets this
   */
  Sent before(Write write);

  /** This one, and then the other inside of it. */
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

  /** The ends of two hooks, the inner one first. */
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
