// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: reports on the requests of a controller: log lines, the reasons of runs, and recent
 * failures.
 *
 * <p>In: requests and errors. Out: text for people. Invariants: reporting never fails a reconcile,
 * and its memory is bounded. Threads: any.
 */
@NullMarked
package dev.windlass.controller.reporting;

import org.jspecify.annotations.NullMarked;
