// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import org.jspecify.annotations.Nullable;

/**
 * The properties that make two events equal, so that the second one only increases the count of the
 * first. Unlike in client-go, they include the note; in client-go, a different second failure only
 * increases the count of the first, and its text is lost.
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
