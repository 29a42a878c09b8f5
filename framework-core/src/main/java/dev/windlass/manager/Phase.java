// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** The phases in which components start, in this order. Components stop in the reverse order. */
public enum Phase {
  /** The servers for health and metrics, which must be reachable while all other parts start. */
  HTTP,
  /** The webhooks, which the API server may need before it can respond to a list. */
  WEBHOOKS,
  /** The caches, which all later components read. */
  CACHES,
  /** The components that run on every replica, whether it leads or not. */
  ALWAYS,
  /** The phase in which components of {@link #LEADER} prepare to lead. */
  WARM_UP,
  /** The components that only the leader runs, mainly controllers. */
  LEADER
}
