// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a test method, with at most one fault. Only the test's thread uses an instance. */
final class FaultRun {

  private static final ThreadLocal<@Nullable FaultRun> CURRENT = new ThreadLocal<>();

  private final Fault fault;
  private final Trace trace = new Trace();
  private @Nullable ReconcilerTest test;

  FaultRun(Fault fault) {
    this.fault = fault;
  }

  /** Returns the run that is in progress on the current thread, or null if there is none. */
  static @Nullable FaultRun current() {
    return CURRENT.get();
  }

  void enter() {
    CURRENT.set(this);
  }

  void leave() {
    CURRENT.remove();
  }

  Fault fault() {
    return fault;
  }

  Trace trace() {
    return trace;
  }

  /** Starts to record the given test. */
  Trace begin(ReconcilerTest other) {
    if (test != null) {
      throw new IllegalStateException(
          "a method with injected faults can create only one ReconcilerTest");
    }
    test = other;
    return trace;
  }

  /**
   * Completes the trace after the test method has returned.
   *
   * @return the reason why the run is not valid, or empty if it is valid
   */
  Optional<String> complete() {
    ReconcilerTest recorded = test;
    if (recorded == null) {
      return Optional.of("the method created no ReconcilerTest, so there is nothing to disturb");
    }
    recorded.recordEnd();
    return recorded.hadFault()
        ? Optional.empty()
        : Optional.of("the run did not get as far as the run without faults");
  }
}
