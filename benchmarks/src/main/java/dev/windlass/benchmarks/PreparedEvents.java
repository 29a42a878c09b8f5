// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.informer.reflector.FeedEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A sequence of watch events that is built before the measurement. The sequence consists of turns:
 * the first turn adds each object once, and each later turn modifies each object once. Each event
 * has a new version. The events of a turn share one large array, so that the garbage collector has
 * to process few objects that do not belong to the measured code.
 */
final class PreparedEvents {

  /**
   * The first version. All versions have ten digits, so the version of an event can overwrite this
   * version in the JSON of an object.
   */
  private static final long FIRST_VERSION = 1_000_000_000L;

  private final List<Optional<FeedEvent>> events;
  private final long bytes;

  private PreparedEvents(List<Optional<FeedEvent>> events, long bytes) {
    this.events = events;
    this.bytes = bytes;
  }

  /** Creates the given number of turns, each with one event per object. */
  static PreparedEvents of(int objects, int turns) {
    List<byte[]> templates = new ArrayList<>(objects);
    for (int i = 0; i < objects; i++) {
      templates.add(BenchObjects.json(i, FIRST_VERSION).getBytes(StandardCharsets.UTF_8));
    }
    int size = templates.stream().mapToInt(template -> template.length).sum();
    List<Optional<FeedEvent>> events = new ArrayList<>(objects * turns);
    long version = FIRST_VERSION;
    for (int turn = 0; turn < turns; turn++) {
      byte[] all = new byte[size];
      int offset = 0;
      for (byte[] template : templates) {
        System.arraycopy(template, 0, all, offset, template.length);
        writeVersion(all, offset, template.length, version++);
        FeedEvent.Json json = new FeedEvent.Json(all, offset, template.length);
        events.add(Optional.of(turn == 0 ? FeedEvent.added(json) : FeedEvent.modified(json)));
        offset += template.length;
      }
    }
    return new PreparedEvents(events, (long) size * turns);
  }

  private static void writeVersion(byte[] all, int offset, int length, long version) {
    byte[] digits = Long.toString(version).getBytes(StandardCharsets.US_ASCII);
    byte[] before = "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
    for (int at = offset; at < offset + length - before.length; at++) {
      if (startsWith(all, at, before)) {
        System.arraycopy(digits, 0, all, at + before.length, digits.length);
        return;
      }
    }
    throw new IllegalStateException("no version in the template");
  }

  private static boolean startsWith(byte[] all, int at, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (all[at + i] != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the event at an index, in the form in which a stream returns it. */
  Optional<FeedEvent> get(int index) {
    return events.get(index);
  }

  int size() {
    return events.size();
  }

  /** Returns the total size of the objects of all events, in bytes of JSON. */
  long bytes() {
    return bytes;
  }
}
