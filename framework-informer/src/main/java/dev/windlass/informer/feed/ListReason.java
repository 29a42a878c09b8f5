// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

/** Why everything is listed. All but the first are relists. */
public enum ListReason {
  /** Nothing has been listed yet. */
  START,
  /** The server no longer has the changes since the last known version (410). */
  EXPIRED,
  /** Resuming the watch failed too often, or in a way that retries can't fix. */
  WATCH_FAILED,
  /** The server's versions are lower than before, for example after a backup was restored. */
  WENT_BACK,
  /** An event could not be read, so it is not known what it changed. */
  UNREADABLE_EVENT,
  /** Changes that the reflector had delivered were lost on their way into the cache. */
  LOST,
  /** An audit found objects that differ from the server's. */
  AUDIT
}
