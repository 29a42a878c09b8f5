// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Records Events ({@code events.k8s.io/v1}) about objects. A call never blocks and never throws an
 * exception. Events are sent in the background, and are dropped if the server does not accept them.
 *
 * <p>Equal events are recorded as one Event, whose {@code series.count} increases. A series ends
 * after 6 minutes without a repetition. Each object has an allowance of 25 requests in a burst and
 * then one request in 5 minutes. Counts are reported within this allowance, and new events beyond
 * it are dropped. Reasons and actions are truncated to 128 bytes of UTF-8, and messages to 1,024
 * bytes. Control characters are escaped. Events about objects without a namespace are created in
 * the namespace {@code default}.
 *
 * <p>Implementations are thread-safe.
 */
@FunctionalInterface
public interface EventRecorder {

  /** The type of an Event in the API. */
  enum EventType {
    /** The event is expected during normal operation. */
    NORMAL("Normal"),
    /** The event reports a problem that needs attention. */
    WARNING("Warning");

    private final String text;

    EventType(String text) {
      this.text = text;
    }

    /** Returns the value that is used in the API. */
    public String text() {
      return text;
    }
  }

  /**
   * Records an event.
   *
   * @param regarding the object that the event is about, with apiVersion, kind, name and uid
   * @param related another object that is involved, such as a created child; null if there is none
   * @param reason the machine-readable reason for the event, one word in CamelCase
   * @param action the action that the controller took, one word in CamelCase
   * @param message a sentence for users, which must not contain secrets
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

  /** Records an event whose action is the same as its reason. */
  default void record(HasMetadata regarding, EventType type, String reason, String message) {
    record(regarding, null, type, reason, reason, message);
  }

  /** Records an event of type {@link EventType#NORMAL}. */
  default void normal(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.NORMAL, reason, message);
  }

  /** Records an event of type {@link EventType#WARNING}. */
  default void warning(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.WARNING, reason, message);
  }
}
