// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import java.io.Serial;
import java.util.Arrays;

/**
 * The place in the code where a thread is now, for the log, which writes it as the stack trace that
 * it is: in a message, its line breaks would be escaped with everything else. Never thrown.
 */
public final class ThreadLocation extends Throwable {

  @Serial private static final long serialVersionUID = 1;

  /** Enough to find the call that blocks. */
  private static final int FRAMES = 8;

  public ThreadLocation(Thread thread) {
    super("thread " + thread.getName() + " is here", null, false, true);
    StackTraceElement[] stack = thread.getStackTrace();
    setStackTrace(Arrays.copyOf(stack, Math.min(FRAMES, stack.length)));
  }

  @Override
  public Throwable fillInStackTrace() {
    return this; // that of the thread that logs would be of no use
  }
}
