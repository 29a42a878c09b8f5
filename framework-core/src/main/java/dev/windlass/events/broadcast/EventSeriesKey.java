// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import org.jspecify.annotations.Nullable;

/**
 * The properties that identify a series. If an event has the same key as an earlier one, only the
 * count of the series increases. Unlike in client-go, the key includes the note. In client-go, a
 * second failure with a different note only increases the count of the first failure, and the
 * second note is lost.
 */
record EventSeriesKey(
    Subject regarding,
    @Nullable Subject related,
    String type,
    String reason,
    String action,
    String note) {

  /**
   * The properties of an object that distinguish its events from other objects' events.
   *
   * @param kind the kind; null if it is unknown
   * @param namespace the namespace; empty for an object without a namespace
   * @param name the object's name
   * @param uid the uid; empty for an object that has not been created
   */
  record Subject(@Nullable String kind, String namespace, String name, String uid) {}
}
