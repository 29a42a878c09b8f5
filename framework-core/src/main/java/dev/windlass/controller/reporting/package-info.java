// SPDX-License-Identifier: Apache-2.0
/**
 * What a controller reports about its requests: log lines, the reasons of runs, recent failures.
 *
 * <p>In: requests and errors. Out: text for people. Invariants: reporting never fails a reconcile,
 * and its memory is bounded. Threads: any.
 */
@NullMarked
package dev.windlass.controller.reporting;

import org.jspecify.annotations.NullMarked;
