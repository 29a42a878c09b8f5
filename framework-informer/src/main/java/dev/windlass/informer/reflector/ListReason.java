// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

/**
 * The reason for a list of all objects. Lists for all reasons except {@link #START} are relists.
 */
public enum ListReason {
  /** A list has not been read yet. */
  START,
  /** The server no longer has the changes since the last known version (410). */
  EXPIRED,
  /** Resuming the watch failed too often, or in a way that retries cannot correct. */
  WATCH_FAILED,
  /** The server's versions are lower than before, for example after a backup was restored. */
  WENT_BACK,
  /** An event could not be read, so its change is unknown. */
  UNREADABLE_EVENT,
  /** Changes that the reflector had delivered did not reach the cache. */
  LOST,
  /** An audit found objects that differ from the server's. */
  AUDIT
}
