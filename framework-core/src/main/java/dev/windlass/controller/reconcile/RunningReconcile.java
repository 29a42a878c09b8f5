// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * A snapshot of a running reconcile; see {@code Controller.running}.
 *
 * @param request the request that the reconcile processes
 * @param reconcileId the identifier of the run
 * @param elapsed how long the reconcile has been running
 * @param timedOut whether the reconcile was cancelled by its time-out
 * @param stuck whether the reconcile is still running some time after it was interrupted. It blocks
 *     its worker until it returns
 */
public record RunningReconcile(
    Request request, String reconcileId, Duration elapsed, boolean timedOut, boolean stuck) {}
