// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** The phases in which components start, in this order. Components stop in the reverse order. */
public enum Phase {
  /**
   * The endpoints for health checks and metrics, which must be reachable while all other components
   * start.
   */
  HTTP,
  /**
   * The webhooks, which the API server may have to call before it can respond to a list request.
   */
  WEBHOOKS,
  /** The caches, which components in later phases read. */
  CACHES,
  /** The components that run on every replica, even if it is not the leader. */
  ALWAYS,
  /**
   * The warm-up of components that later start in {@link #LEADER}; see {@link
   * ManagedComponent#warmUp}.
   */
  WARM_UP,
  /** The components that only the leader runs, mainly controllers. */
  LEADER
}
