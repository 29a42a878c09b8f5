// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The failures of a request since its last success. A part of {@link KeyState}. */
public final class KeyFailures {

  /** The minimum time between two Events about an object with the same cause. */
  private static final Duration BETWEEN_EVENTS = Duration.ofHours(1);

  /**
   * The maximum number of Events about an object in this time: 20. Causes can contain names that
   * users choose.
   */
  private static final int MOST_EVENTS = 20;

  private final String uid;
  private final long since;
  private String error = "";
  private int times;
  private int conflicts;
  private long last;

  /** The error that was logged last; empty if none was logged. */
  private String logged = "";

  /** The times of the last Events by their causes. */
  private final Map<String, Long> events = new HashMap<>(1);

  KeyFailures(String uid, long now) {
    this.uid = uid;
    this.since = now;
  }

  void add(String newest, boolean isConflict, long now) {
    error = newest.equals(error) ? error : newest;
    times++;
    conflicts = isConflict ? conflicts + 1 : 0;
    last = now;
  }

  /** Returns whether these are the failures of an earlier object with the same name. */
  public boolean areOfAnother(String other) {
    return !other.isEmpty() && !other.equals(uid);
  }

  /** Returns the number of conflicts in a row; 0 if the last failure was no conflict. */
  public int conflicts() {
    return conflicts;
  }

  public String error() {
    return error;
  }

  public int times() {
    return times;
  }

  /** Returns the time of the first failure, as a value of {@code Scheduler.nanoTime}. */
  public long since() {
    return since;
  }

  /** Returns the time of the last failure. */
  public long last() {
    return last;
  }

  /** Records that an error is about to be logged. Returns false if it was the last one logged. */
  public boolean isNews(String shown) {
    boolean isNews = !shown.equals(logged);
    logged = shown.equals(error) ? error : shown;
    return isNews;
  }

  /**
   * Returns whether an Event is due: the request has been failing for the given time, and an hour
   * has passed since the last Event with the same cause. If so, records that the Event is about to
   * be sent.
   */
  public boolean isEventDue(String cause, Duration lasting, long now) {
    events.values().removeIf(sent -> now - sent >= BETWEEN_EVENTS.toNanos());
    if (now - since < lasting.toNanos()
        || events.containsKey(cause)
        || events.size() >= MOST_EVENTS) {
      return false;
    }
    events.put(cause, now);
    return true;
  }
}
