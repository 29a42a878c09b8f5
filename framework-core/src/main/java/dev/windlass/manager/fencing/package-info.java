// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the client for the writes of a leader, which rejects each write that starts after the
 * term has ended.
 *
 * <p>In: requests of reconcilers, and the {@link dev.windlass.leader.Fence} of the election. Out:
 * the same requests, or {@link dev.windlass.leader.LeadershipLostException}.
 */
@NullMarked
package dev.windlass.manager.fencing;

import org.jspecify.annotations.NullMarked;
