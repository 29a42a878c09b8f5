// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Records Events about objects. A call never blocks and never fails: events are sent in the
 * background, and are given up if the server does not take them. Safe for use by several threads.
 */
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
   * @param reason one word in CamelCase that programs can match
   * @param message one sentence for people; must not contain secrets
   */
  void record(HasMetadata regarding, EventType type, String reason, String message);

  /** Records that something went as it should. */
  default void normal(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.NORMAL, reason, message);
  }

  /** Records that something needs attention. */
  default void warning(HasMetadata regarding, String reason, String message) {
    record(regarding, EventType.WARNING, reason, message);
  }
}
