// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Records Events ({@code events.k8s.io/v1}) about objects. The methods never block and never throw
 * exceptions. The recorder sends Events in the background, and drops them if the server does not
 * accept them.
 *
 * <p>If an event is repeated, the recorder increases the existing Event's {@code series.count}. A
 * series ends after 6 min without a repetition. For each object, the recorder sends a burst of at
 * most 25 requests, and then at most one request per 5 min. If this limit is reached, the recorder
 * delays updates of the count and drops new events.
 *
 * <p>The recorder truncates reasons and actions to 128 bytes of UTF-8, and messages to 1,024 bytes.
 * It escapes control characters. It creates Events about cluster-scoped objects in the namespace
 * {@code default}.
 *
 * <p>Implementations are thread-safe.
 */
@FunctionalInterface
public interface EventRecorder {

  /** A recorder that records nothing. */
  EventRecorder NONE = (regarding, related, type, reason, action, message) -> {};

  /** The type of an Event in the API. */
  enum EventType {
    /** The event is part of normal operation. */
    NORMAL("Normal"),
    /** The event reports a problem that requires attention. */
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
   * @param regarding the object that the event is about. It must have an apiVersion, kind, name and
   *     uid
   * @param related another object that is involved, such as a child that was created, or null if
   *     there is none
   * @param reason the machine-readable reason for the event, as one word in CamelCase
   * @param action the action that the controller took, as one word in CamelCase
   * @param message a human-readable sentence. It must not contain secrets
   */
  void record(
      HasMetadata regarding,
      @Nullable HasMetadata related,
      EventType type,
      String reason,
      String action,
      String message);

  /** Records an event without a related object. */
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
