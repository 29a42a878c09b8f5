// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * A reconcile that was under way when somebody asked, see {@code Controller.running}.
 *
 * @param request what it works on
 * @param reconcileId which run it is
 * @param elapsed how long it had run
 * @param timedOut whether its time-out had cancelled it
 * @param stuck whether it went on all the same, so that another worker took its worker's place
 */
public record RunningReconcile(
    Request request, String reconcileId, Duration elapsed, boolean timedOut, boolean stuck) {}
