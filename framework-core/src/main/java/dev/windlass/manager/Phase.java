// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** The phases in which components start, in this order. Components stop in the reverse order. */
public enum Phase {
  /**
   * Servers for health and metrics. They start first because they must be reachable while all other
   * components start.
   */
  HTTP,
  /**
   * Webhooks. They start before the caches because the API server may need them to respond to a
   * list.
   */
  WEBHOOKS,
  /** Caches. They start before all later components because those read them. */
  CACHES,
  /** Components that run on every replica, whether it leads or not. */
  ALWAYS,
  /** The phase in which components of {@link #LEADER} prepare to lead. */
  WARM_UP,
  /** Components that only the leader runs, mainly controllers. */
  LEADER
}
