// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** When a component starts, in this order; components stop in the reverse order. */
public enum Phase {
  /** Servers for health and metrics: reachable while everything else still starts. */
  HTTP,
  /** Webhooks: the API server may need them before it can answer a list. */
  WEBHOOKS,
  /** Caches, which everything behind them reads. */
  CACHES,
  /** What every replica runs, leader or not. */
  ALWAYS,
  /** What gets ready to lead. */
  WARM_UP,
  /** What only the leader may run: controllers. */
  LEADER
}
