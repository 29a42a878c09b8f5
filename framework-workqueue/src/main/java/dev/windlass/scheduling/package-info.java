// SPDX-License-Identifier: Apache-2.0
/**
 * The clock, timers, back-off, and loops that run on their own threads. Every stage of the path of
 * an event from the API server to the reconciler ({@code docs/architecture.md}) is based on them.
 *
 * <p>The package provides {@link dev.windlass.scheduling.Scheduler}, which is the framework's only
 * clock, {@link dev.windlass.scheduling.Backoff}, and {@link dev.windlass.scheduling.Loop}, which
 * runs a {@link dev.windlass.scheduling.LoopStep} on a thread. Other framework classes never read a
 * monotonic clock, sleep or wait with a time limit, so a test that controls the scheduler controls
 * time. There is one daemon thread for each system scheduler, and one thread for each running loop.
 *
 * <p>This package does not depend on other packages. After it, read {@link dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.scheduling;

import org.jspecify.annotations.NullMarked;
