// SPDX-License-Identifier: Apache-2.0
/**
 * The clock, timers, back-off, and loops that run on their own threads. Every stage of the path of
 * an event from the API server to the reconciler ({@code docs/architecture.md}) is based on them.
 *
 * <p>The package provides {@link dev.windlass.scheduling.Backoff} and {@link
 * dev.windlass.scheduling.Loop}, which runs a {@link dev.windlass.scheduling.LoopStep} on a thread.
 * It also provides {@link dev.windlass.scheduling.Scheduler}, the only clock of the framework. No
 * other class of the framework reads a monotonic clock, sleeps or waits with a time limit. A test
 * that controls the scheduler therefore controls time. There is one daemon thread for each system
 * scheduler, and one thread for each running loop.
 *
 * <p>This package does not depend on other packages. After it, read {@link dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.scheduling;

import org.jspecify.annotations.NullMarked;
