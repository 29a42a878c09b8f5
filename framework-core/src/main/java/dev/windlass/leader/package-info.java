// SPDX-License-Identifier: Apache-2.0
/**
 * Leader election: at most one replica acts at a time. A manager elects with the options of a
 * program; programs without a manager use {@link dev.windlass.leader.LeaderElector}.
 *
 * <p>In: a Lease on the API server that all replicas read and write. Out: {@link
 * dev.windlass.leader.LeaderListener notifications} of leader changes, and a {@link
 * dev.windlass.leader.Fence} that rejects actions that start too late. Invariant: a fence is open
 * only for the renew deadline, counted from the start of a write that the server has accepted, and
 * other replicas wait for the longer lease duration, counted from when they see that write. So no
 * two fences of one Lease are open at the same time, regardless of the wall clocks. Threads: one
 * per elector. Next: {@link dev.windlass.leader.LeaderElector}.
 */
@NullMarked
package dev.windlass.leader;

import org.jspecify.annotations.NullMarked;
