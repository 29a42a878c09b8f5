// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import org.jspecify.annotations.Nullable;

/**
 * What makes two events equal, so that the second one only raises the count of the first. The note
 * is part of it, unlike in client-go, where a second failure of another kind is counted as the
 * first and its text is lost.
 */
record EventSeriesKey(
    Subject regarding,
    @Nullable Subject related,
    String type,
    String reason,
    String action,
    String note) {

  /**
   * The properties of an object that distinguish its events.
   *
   * @param namespace empty for an object without one
   * @param uid empty for an object that has not been created
   */
  record Subject(@Nullable String kind, String namespace, String name, String uid) {}
}
