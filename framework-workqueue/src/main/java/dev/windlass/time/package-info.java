// SPDX-License-Identifier: Apache-2.0
/**
 * Time, waiting and loop threads, on which every stage is based.
 *
 * <p>The package provides {@link dev.windlass.time.Scheduler}, which is the only clock of the
 * framework, {@link dev.windlass.time.Backoff}, and {@link dev.windlass.time.Loop}, which runs a
 * {@link dev.windlass.time.Step} on a thread. No other class of the framework reads a monotonic
 * clock, sleeps or waits with a time limit, so a test that controls the scheduler controls time.
 * There is one daemon thread for each system scheduler, and one thread for each running loop.
 *
 * <p>This package does not depend on other packages. Next: {@link dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.time;

import org.jspecify.annotations.NullMarked;
