// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: HTTP clients for a leader's writes. They reject each write that starts when this
 * replica is no longer the leader.
 *
 * <p>The requests of reconcilers pass the {@link dev.windlass.leader.Fence} of the election. If the
 * fence is closed, a write fails with a {@link dev.windlass.leader.LeadershipLostException}.
 */
@NullMarked
package dev.windlass.leader.fencing;

import org.jspecify.annotations.NullMarked;
