// SPDX-License-Identifier: Apache-2.0
/**
 * Leader election, which ensures that at most one replica acts as the leader at a time. A manager
 * runs an election with the program's options. A program without a manager uses {@link
 * dev.windlass.leader.LeaderElector}.
 *
 * <p>All replicas read and write a Lease on the API server. An elector notifies a {@link
 * dev.windlass.leader.LeaderListener} of leader changes, and a {@link dev.windlass.leader.Fence}
 * rejects actions that start too late. A fence stays open until the renew deadline, which is
 * counted from the start of the last write that the server accepted. Other replicas wait for the
 * lease duration. It is longer than the renew deadline and is counted from the time at which they
 * observe that write. Two fences of one Lease are therefore never open at the same time, regardless
 * of the wall clocks. Each elector has one thread, and another one that starts its requests. Start
 * with {@link dev.windlass.leader.LeaderElector}.
 */
@NullMarked
package dev.windlass.leader;

import org.jspecify.annotations.NullMarked;
