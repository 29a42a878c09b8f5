// SPDX-License-Identifier: Apache-2.0
/**
 * Time, waiting and loop threads: the foundation of every stage.
 *
 * <p>In: nothing. Out: {@link dev.windlass.time.Scheduler}, the only clock of the framework, {@link
 * dev.windlass.time.Backoff}, and {@link dev.windlass.time.Loop}, which runs a {@link
 * dev.windlass.time.Step} on a thread. Invariant: no other class of the framework reads a monotonic
 * clock, sleeps or waits with a time limit, so a test that controls the scheduler controls time.
 * Threads: one daemon thread per system scheduler, one per running loop. Next: {@link
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.time;

import org.jspecify.annotations.NullMarked;
