// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.shutdown;

import dev.windlass.scheduling.Scheduler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Prints the reason of the first signal that it gets, and ends. */
final class SignalledProgram {

  /** Printed when signals are handled. */
  static final String READY = "ready";

  private SignalledProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
    ShutdownSignals signals = ShutdownSignals.handle(reasons::add, Scheduler.system());
    System.out.println(READY);
    System.out.println(reasons.take());
    signals.close();
  }
}
