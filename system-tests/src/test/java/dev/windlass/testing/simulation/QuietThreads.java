// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.Marker;

/** Drops the log of threads that provoke thousands of errors on purpose; see logback-test.xml. */
public final class QuietThreads extends TurboFilter {

  private static final ThreadLocal<Boolean> QUIET = ThreadLocal.withInitial(() -> false);

  /** Runs a task without a log of its thread. */
  public static void run(Runnable task) {
    QUIET.set(true);
    try {
      task.run();
    } finally {
      QUIET.remove();
    }
  }

  @Override
  public FilterReply decide(
      Marker marker, Logger logger, Level level, String format, Object[] arguments, Throwable t) {
    return QUIET.get() ? FilterReply.DENY : FilterReply.NEUTRAL;
  }
}
