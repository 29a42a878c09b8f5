// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: reports on the requests of a controller with log lines, the reasons for runs, and
 * recent failures.
 *
 * <p>The package turns requests and errors into human-readable text. Reporting never makes a
 * reconcile fail, and its memory use is bounded. Any thread can call the code.
 */
@NullMarked
package dev.windlass.controller.reporting;

import org.jspecify.annotations.NullMarked;
