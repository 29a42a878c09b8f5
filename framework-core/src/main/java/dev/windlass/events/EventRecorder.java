// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Records Events ({@code events.k8s.io/v1}) about objects. A call never blocks and never fails:
 * events are sent in the background, and are dropped if the server does not accept them.
 *
 * <p>Equal events become one Event, whose {@code series.count} grows; a series ends after 6 minutes
 * without a repetition. One object may cause a burst of 25 requests and then one request in 5
 * minutes; counts are reported within this limit, and new events beyond it are dropped. Texts are
 * truncated: reason and action to 128 bytes of UTF-8, messages to 1,024; control characters are
 * escaped. Events about objects without a namespace are written to {@code default}.
 *
 * <p>Thread safe.
 */
@FunctionalInterface
public interface EventRecorder {

  /** The type of an Event in the API. */
  enum EventType {
    /** Something happened as expected. */
    NORMAL("Normal"),
    /** Something needs attention. */
    WARNING("Warning");

    private final String text;

    EventType(String text) {
      this.text = text;
    }

    /** Returns the value as it appears in the API. */
    public String text() {
      return text;
    }
  }

  /**
   * Records an event.
   *
   * @param regarding the object that the event is about, with apiVersion, kind, name and uid
   * @param related another object involved, such as a created child; null if there is none
   * @param reason the reason for the event: one word in CamelCase that programs can match
   * @param action the action that the controller took: one word in CamelCase
   * @param message one human-readable sentence; must not contain secrets
   */
  void record(
      HasMetadata regarding,
      @Nullable HasMetadata related,
      EventType type,
      String reason,
      String action,
      String message);

  /** Records an event that involves no other object. */
  default void record(
      HasMetadata regarding, EventType type, String reason, String action, String message) {
    record(regarding, null, type, reason, action, message);
  }

  /** Records an event whose action equals its reason. */
  default void record(HasMetadata regarding, EventType type, String reason, String message) {
    record(regarding, null, type, reason, reason, message);
  }

  /** Records that something happened as expected. */
  default void normal(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.NORMAL, reason, message);
  }

  /** Records that something needs attention. */
  default void warning(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.WARNING, reason, message);
  }
}
