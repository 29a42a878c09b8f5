// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * The errors after which a program must not continue: every {@link VirtualMachineError} except
 * {@link StackOverflowError}, such as {@link OutOfMemoryError} and {@link InternalError}. They can
 * be thrown at any point, so that no object that the thread has changed can be trusted any longer.
 * A {@link StackOverflowError}, in contrast, is usually caused by one object or by recursive code.
 *
 * <p>Code that catches the errors of a callback calls {@link #rethrow} first. The error then ends
 * the thread, and the thread's {@link Thread.UncaughtExceptionHandler} passes it to the owner of
 * the thread, such as the manager.
 */
public final class FatalErrors {

  static {
    // The first use of a class allocates memory, of which there may be none when an error occurs.
    rethrow(new StackOverflowError());
  }

  private FatalErrors() {}

  /** Returns whether the given failure is a fatal error. Does not examine its causes. */
  public static boolean isFatal(Throwable failure) {
    return failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
  }

  /** Throws the given failure if it is a fatal error. Otherwise, has no effect. */
  public static void rethrow(Throwable failure) {
    if (isFatal(failure)) {
      throw (VirtualMachineError) failure;
    }
  }

  /** Returns a factory whose threads pass the fatal error that ends them to the given owner. */
  public static ThreadFactory reporting(ThreadFactory threads, Consumer<Throwable> owner) {
    return task -> {
      Thread thread = threads.newThread(task);
      if (thread != null) {
        Thread.UncaughtExceptionHandler other = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler(
            (ended, failure) -> {
              if (isFatal(failure)) {
                owner.accept(failure);
              } else {
                other.uncaughtException(ended, failure);
              }
            });
      }
      return thread;
    };
  }

  /** Returns a scheduler that passes the fatal errors of its tasks to the given owner. */
  public static Scheduler reporting(Scheduler scheduler, Consumer<Throwable> owner) {
    return new Scheduler() {
      @Override
      public long nanoTime() {
        return scheduler.nanoTime();
      }

      @Override
      public Alarm schedule(Runnable task, Duration delay) {
        return scheduler.schedule(() -> run(task), delay);
      }

      private void run(Runnable task) {
        try {
          task.run();
        } catch (VirtualMachineError e) {
          if (!isFatal(e)) {
            throw e;
          }
          owner.accept(e);
        }
      }

      @Override
      public String toString() {
        return scheduler.toString();
      }
    };
  }

  /**
   * Starts a thread. If the operating system refuses to create the thread, the JVM throws an {@link
   * OutOfMemoryError} that is not fatal, because the heap is intact. This method replaces it.
   *
   * @throws IllegalStateException if the thread cannot be created
   */
  public static void start(Thread thread) {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      throw new IllegalStateException("can't start a thread: " + e.getMessage(), e);
    }
  }
}
