// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Records Events ({@code events.k8s.io/v1}) about objects. A call never blocks and never fails:
 * events are sent in the background, and are given up if the server does not take them.
 *
 * <p>Equal events become one Event, whose {@code series.count} grows; a series ends after 6 minutes
 * without a repetition. One object may cause 25 requests at once and then one in 5 minutes, in
 * which counts are told and new events beyond that are dropped. Texts are cut: reason and action
 * after 128 bytes of UTF-8, messages after 1,024; control characters are escaped. Events about
 * objects without a namespace are written into {@code default}.
 *
 * <p>Safe for use by several threads.
 */
@FunctionalInterface
public interface EventRecorder {

  /** The type of an Event, as the API knows it. */
  enum EventType {
    /** Something went as it should. */
    NORMAL("Normal"),
    /** Something needs attention. */
    WARNING("Warning");

    private final String text;

    EventType(String text) {
      this.text = text;
    }

    /** The word that the API uses. */
    public String text() {
      return text;
    }
  }

  /**
   * Records an event.
   *
   * @param regarding the object that it is about, with apiVersion, kind, name and uid
   * @param related another object that has to do with it, such as a child that was created; null if
   *     there is none
   * @param reason why it happened: one word in CamelCase that programs can match
   * @param action what the controller did about it: one word in CamelCase
   * @param message one sentence for people; must not contain secrets
   */
  void record(
      HasMetadata regarding,
      @Nullable HasMetadata related,
      EventType type,
      String reason,
      String action,
      String message);

  /** Records an event that no other object has to do with. */
  default void record(
      HasMetadata regarding, EventType type, String reason, String action, String message) {
    record(regarding, null, type, reason, action, message);
  }

  /** Records an event whose action is called as its reason. */
  default void record(HasMetadata regarding, EventType type, String reason, String message) {
    record(regarding, null, type, reason, reason, message);
  }

  /** Records that something went as it should. */
  default void normal(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.NORMAL, reason, message);
  }

  /** Records that something needs attention. */
  default void warning(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.WARNING, reason, message);
  }
}
