// SPDX-License-Identifier: Apache-2.0
/**
 * The manager, which a program builds to start and stop all its parts: controllers, caches, leader
 * election, and the endpoints for health and metrics.
 *
 * <p>In: components, most of them controllers. Out: a process that runs until it is asked to stop.
 * Invariants: components start phase by phase and stop in reverse order, within one deadline; if a
 * component fails to start, the others are stopped. Threads: the caller's. Next: {@link
 * dev.windlass.manager.Manager}.
 */
@NullMarked
package dev.windlass.manager;

import org.jspecify.annotations.NullMarked;
