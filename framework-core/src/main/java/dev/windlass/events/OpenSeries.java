// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;

/** An event that may be repeated, and how much of that the server knows. Not thread safe. */
final class OpenSeries {

  private final EventSeriesKey key;

  /** As it was recorded first: without a series. */
  private Event first;

  /** How often it happened, and how often as far as the server knows: 0 before it is created. */
  private int count = 1;

  private int told;

  /** When it happened last: as the API writes it, and in monotonic nanoseconds. */
  private MicroTime lastObserved;

  private long lastAt;

  /** Whether it waits to be sent. */
  boolean queued;

  /** Whether a repetition still raises the count. */
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

  /** It happened again. */
  void repeat(MicroTime at, long now) {
    count = count == Integer.MAX_VALUE ? count : count + 1;
    lastObserved = at;
    lastAt = now;
  }

  /** Whether it tells of something that a person should look at. */
  boolean isWarning() {
    return key.type().equals("Warning");
  }

  /** How many occurrences the server has not been told of. */
  int untold() {
    return count - told;
  }

  /** The server knows this many occurrences now. */
  void tell(int occurrences) {
    told = occurrences;
  }

  /** The server has forgotten the Event: it is to be created again, under a name of its own. */
  void recreate(String name) {
    told = 0;
    first = new EventBuilder(first).editMetadata().withName(name).endMetadata().build();
  }

  /** The Event as it is to be on the server now; one occurrence alone is no series. */
  Outgoing outgoing() {
    if (count == 1) {
      return new Outgoing(this, first, count, told > 0);
    }
    Event event =
        new EventBuilder(first)
            .withNewSeries()
            .withCount(count)
            .withLastObservedTime(lastObserved)
            .endSeries()
            .build();
    return new Outgoing(this, event, count, told > 0);
  }

  /**
   * What the server is to be told, while the series may go on.
   *
   * @param occurrences that the Event stands for
   * @param exists whether the server has it, with another count
   */
  record Outgoing(OpenSeries series, Event event, int occurrences, boolean exists) {}
}
