// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * A snapshot of a running reconcile; see {@code Controller.running}.
 *
 * @param request the request that it processes
 * @param reconcileId the identifier of the run
 * @param elapsed how long it had been running
 * @param timedOut whether its time-out had cancelled it
 * @param stuck whether it was still running some time after its interrupt, so that another worker
 *     replaced its worker
 */
public record RunningReconcile(
    Request request, String reconcileId, Duration elapsed, boolean timedOut, boolean stuck) {}
