// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** The phases in which components start, in this order. Components stop in the reverse order. */
public enum Phase {
  /** Servers for health and metrics: reachable while everything else is still starting. */
  HTTP,
  /** Webhooks: the API server may need them before it can respond to a list. */
  WEBHOOKS,
  /** Caches, which all later components read. */
  CACHES,
  /** Components that run on every replica, leader or not. */
  ALWAYS,
  /** Preparation of components that start in {@link #LEADER}. */
  WARM_UP,
  /** Components that only the leader may run: controllers. */
  LEADER
}
