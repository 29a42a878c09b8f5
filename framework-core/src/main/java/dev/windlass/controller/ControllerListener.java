// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.reconcile.Request;
import java.time.Duration;

/**
 * Hears how reconciles end; metrics and tests are made of it. Called by the workers; must be quick
 * and thread safe, and must not throw.
 */
public interface ControllerListener {

  /** How a reconcile can end, each with what becomes of the request. */
  enum Outcome {
    /** {@code Result.done()}: nothing until the next event. */
    DONE,
    /** {@code Result.requeueWithBackoff()}: again after the back-off. */
    REQUEUE,
    /** {@code Result.requeueAfter(d)}: again after that time at the latest. */
    REQUEUE_AFTER,
    /** Something was thrown, or null returned: again after the back-off. */
    ERROR,
    /** A {@code TerminalException}: nothing until the next event. */
    TERMINAL_ERROR
  }

  /** Hears nothing. */
  ControllerListener NONE = (request, outcome, took) -> {};

  /**
   * A reconcile has ended.
   *
   * @param took how long
   */
  void reconciled(Request request, Outcome outcome, Duration took);
}
