// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import java.io.Serial;
import java.util.Arrays;

/**
 * The current code location of a thread. It is a {@link Throwable} so that the log contains it as a
 * stack trace; in a message, the line breaks would be escaped. Instances are never thrown.
 */
public final class ThreadLocation extends Throwable {

  @Serial private static final long serialVersionUID = 1;

  /** The maximum number of logged frames, which is sufficient to find the blocking call. */
  private static final int FRAMES = 8;

  public ThreadLocation(Thread thread) {
    super("thread " + thread.getName() + " is here", null, false, true);
    StackTraceElement[] stack = thread.getStackTrace();
    setStackTrace(Arrays.copyOf(stack, Math.min(FRAMES, stack.length)));
  }

  @Override
  public Throwable fillInStackTrace() {
    return this; // the stack trace of the logging thread would be useless
  }
}
