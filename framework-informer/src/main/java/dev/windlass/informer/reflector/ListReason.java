// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

/** The reason for listing all objects. Lists for all reasons except {@link #START} are relists. */
public enum ListReason {
  /** No list has been read yet. */
  START,
  /** The server no longer has the changes since the last known version (410). */
  EXPIRED,
  /** Resuming the watch failed too often, or for a reason that retries cannot resolve. */
  WATCH_FAILED,
  /** The server's versions are lower than before, for example after a backup was restored. */
  WENT_BACK,
  /** An event could not be read, so its change is unknown. */
  UNREADABLE_EVENT,
  /** Changes that the reflector had delivered did not reach the cache. */
  LOST,
  /** An audit found cached objects that differ from the server's objects. */
  AUDIT
}
