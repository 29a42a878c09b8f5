// SPDX-License-Identifier: Apache-2.0
/**
 * Leader election: at most one replica acts at a time.
 *
 * <p>In: a Lease on the API server that all replicas read and write. Out: {@link
 * dev.windlass.leader.LeaderListener news} of who leads, and a {@link dev.windlass.leader.Fence}
 * that refuses what is begun too late. Invariant: a fence is open only for a renew deadline from
 * the start of a write that the server has accepted, and others wait for the longer lease duration
 * from when they see that write; so no two fences of one Lease are open at once, whatever the wall
 * clocks say. Threads: one per elector. Read next: {@link dev.windlass.leader.LeaderElector}.
 */
@NullMarked
package dev.windlass.leader;

import org.jspecify.annotations.NullMarked;
