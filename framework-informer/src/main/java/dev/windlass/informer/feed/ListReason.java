// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

/** Why everything is listed. All but the first are relists. */
public enum ListReason {
  /** There is nothing yet. */
  START,
  /** The server has forgotten the changes since the last known version (410). */
  EXPIRED,
  /** Resuming the watch failed too often, or in a way that time does not cure. */
  WATCH_FAILED,
  /** The server's versions are lower than they were, as after a backup was restored. */
  WENT_BACK,
  /** An event could not be read, so nobody knows what it changed. */
  UNREADABLE_EVENT,
  /** What the reflector had delivered got lost on its way into the cache. */
  LOST,
  /** An audit found objects that differ from the server's. */
  AUDIT
}
