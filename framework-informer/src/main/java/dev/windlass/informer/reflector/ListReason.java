// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

/** The reason for listing all objects. A list for any reason except {@link #START} is a relist. */
public enum ListReason {
  /** No list has been read yet. */
  START,
  /** The watch could not resume, because the last known resource version has expired (410). */
  EXPIRED,
  /** The watch failed to resume too often, or for a reason that retries cannot resolve. */
  WATCH_FAILED,
  /** The server's resource versions have decreased, for example after a backup was restored. */
  WENT_BACK,
  /** An event could not be read, so its change is unknown. */
  UNREADABLE_EVENT,
  /** Changes may have been lost between the reflector and the cache. */
  LOST,
  /** An audit found cached objects that differ from the server's objects. */
  AUDIT
}
