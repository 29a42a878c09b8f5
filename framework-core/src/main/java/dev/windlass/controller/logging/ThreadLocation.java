// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import java.io.Serial;
import java.util.Arrays;

/**
 * The stack trace of a thread at the time of creation. This class extends {@link Throwable} because
 * loggers then print the stack trace on separate lines. In a message, they would escape the line
 * breaks. Instances are never thrown.
 */
public final class ThreadLocation extends Throwable {

  @Serial private static final long serialVersionUID = 1;

  /** The maximum number of logged stack frames. It is sufficient to find the blocking call. */
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
