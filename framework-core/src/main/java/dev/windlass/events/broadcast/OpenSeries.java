// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;

/**
 * A series of equal events. This class counts the events, and how many of them have been reported
 * to the server. It is not thread-safe.
 */
final class OpenSeries {

  private final EventSeriesKey key;

  /** The Event as it was first recorded, without a series. */
  private Event first;

  private int count = 1;

  /** The number of reported occurrences, which is 0 until the Event has been created. */
  private int reported;

  /** The time of the last occurrence, in the API's format. */
  private MicroTime lastObserved;

  /** The time of the last occurrence, as a value of {@code Scheduler.nanoTime}. */
  private long lastAt;

  boolean queued;

  /** Whether a repetition increases the count. */
  boolean open = true;

  OpenSeries(EventSeriesKey key, Event first, long now) {
    this.key = key;
    this.first = first;
    this.lastObserved = first.getEventTime();
    this.lastAt = now;
  }

  EventSeriesKey key() {
    return key;
  }

  long lastAt() {
    return lastAt;
  }

  void repeat(MicroTime at, long now) {
    count = count == Integer.MAX_VALUE ? count : count + 1;
    lastObserved = at;
    lastAt = now;
  }

  boolean isWarning() {
    return key.type().equals("Warning");
  }

  int unreported() {
    return count - reported;
  }

  void reported(int occurrences) {
    reported = occurrences;
  }

  /**
   * Records that the server no longer has the Event. The next attempt creates the Event again under
   * the given name.
   */
  void recreate(String name) {
    reported = 0;
    first = new EventBuilder(first).editMetadata().withName(name).endMetadata().build();
  }

  /**
   * Returns the Event to send. The Event contains a series only if the event has occurred more than
   * once.
   */
  Outgoing outgoing() {
    if (count == 1) {
      return new Outgoing(this, first, count, reported > 0);
    }
    Event event =
        new EventBuilder(first)
            .withNewSeries()
            .withCount(count)
            .withLastObservedTime(lastObserved)
            .endSeries()
            .build();
    return new Outgoing(this, event, count, reported > 0);
  }

  /**
   * An Event to send for a series.
   *
   * @param series the series
   * @param event the Event with the current count
   * @param occurrences the number of occurrences that the Event represents
   * @param exists whether the server already has the Event, with a lower count
   */
  record Outgoing(OpenSeries series, Event event, int occurrences, boolean exists) {}
}
