// SPDX-License-Identifier: Apache-2.0
/**
 * The manager. It starts and stops a program's controllers, caches, leader election, and endpoints
 * for health and metrics.
 *
 * <p>A manager runs its components, most of which are controllers, until it is requested to stop.
 * It starts the components in phases and stops them in reverse order, within one deadline. If a
 * component fails to start, the manager stops the others. Components start and stop on the threads
 * that call the manager. When this replica acquires or loses a lease, a thread of the {@link
 * dev.windlass.manager.LeaderGroup} starts or stops the components that depend on the lease. Start
 * with {@link dev.windlass.manager.Manager}.
 */
@NullMarked
package dev.windlass.manager;

import org.jspecify.annotations.NullMarked;
