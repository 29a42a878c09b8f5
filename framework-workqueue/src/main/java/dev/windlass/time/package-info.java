// SPDX-License-Identifier: Apache-2.0
/**
 * Time, waiting and the threads around loops: the ground that every stage stands on.
 *
 * <p>In: nothing. Out: {@link dev.windlass.time.Scheduler}, the only clock of the framework, {@link
 * dev.windlass.time.Backoff}, and {@link dev.windlass.time.Loop}, the thin thread around a {@link
 * dev.windlass.time.Step}. Invariant: no other class of the framework reads a monotonic clock,
 * sleeps or waits with a time limit, so a test that owns the scheduler owns time. Threads: one
 * daemon thread per system scheduler, one per running loop. Next: {@link dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.time;

import org.jspecify.annotations.NullMarked;
