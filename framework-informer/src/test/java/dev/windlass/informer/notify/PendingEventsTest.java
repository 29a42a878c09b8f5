// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PendingEventsTest {

  /** Full from the first event on, unless a test says otherwise. */
  private final PendingEvents<ConfigMap> pending = new PendingEvents<>(0);

  static String show(ResourceEvent<ConfigMap> event) {
    String name = event.key().name();
    return switch (event.type()) {
      case ADDED ->
          "+"
              + name
              + version(event.object())
              + (((ResourceEvent.Added<ConfigMap>) event).initial() ? " initial" : "");
      case UPDATED ->
          "~"
              + name
              + version(((ResourceEvent.Updated<ConfigMap>) event).old())
              + ">"
              + version(event.object());
      case DELETED ->
          "-"
              + name
              + version(event.object())
              + (((ResourceEvent.Deleted<ConfigMap>) event).finalStateUnknown() ? " missed" : "");
    };
  }

  private static String version(CachedObject<ConfigMap> object) {
    return object.resourceVersion();
  }

  private static ResourceEvent<ConfigMap> added(String name, long version) {
    return new ResourceEvent.Added<>(state(name, version), false);
  }

  private static ResourceEvent<ConfigMap> updated(String name, long from, long to) {
    return new ResourceEvent.Updated<>(state(name, from), state(name, to));
  }

  private static ResourceEvent<ConfigMap> deleted(String name, long version) {
    return new ResourceEvent.Deleted<>(state(name, version), false);
  }

  private static List<String> drain(PendingEvents<ConfigMap> events) {
    List<String> seen = new ArrayList<>();
    for (var slot = events.poll(); slot != null; slot = events.poll()) {
      ResourceEvent<ConfigMap> event = slot.event();
      seen.add(event == null ? "mark" : show(event));
    }
    assertThat(events.size()).isZero();
    return seen;
  }

  /** 002-33: what goes in comes out, in order, as long as not too much waits. */
  @Test
  void handsOutWhatItTookBelowTheBound() {
    PendingEvents<ConfigMap> roomy = new PendingEvents<>(1_000);
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      roomy.add(updated("a", i - 1, i));
      expected.add("~a" + (i - 1) + ">" + i);
    }
    assertThat(roomy.size()).isEqualTo(1_000);
    roomy.add(updated("a", 1_000, 1_001));
    assertThat(roomy.size()).as("full").isEqualTo(1_000);
    expected.set(999, "~a999>1001");
    assertThat(drain(roomy)).isEqualTo(expected);
  }

  /** The old state of the first, the new one of the last. */
  @Test
  void mergesUpdatesOfAnObject() {
    pending.add(updated("a", 1, 2));
    pending.add(updated("b", 1, 2));
    pending.add(updated("a", 2, 3));
    pending.add(updated("a", 3, 4));
    assertThat(drain(pending)).containsExactly("~a1>4", "~b1>2");
  }

  @Test
  void mergesUpdatesIntoTheAdditionBeforeThem() {
    pending.add(new ResourceEvent.Added<>(state("a", 1), true));
    pending.add(updated("a", 1, 2));
    pending.add(added("b", 1));
    pending.add(updated("b", 1, 2));
    assertThat(drain(pending)).containsExactly("+a2", "+b2");
  }

  /** A resync on top of an update must not hide that something happened. */
  @Test
  void keepsAnUpdateOnWhichAResyncIsMerged() {
    pending.add(updated("a", 1, 2));
    pending.add(updated("a", 2, 2));
    assertThat(drain(pending)).containsExactly("~a1>2");
  }

  @Test
  void mergesNoDeletions() {
    pending.add(updated("a", 1, 2));
    pending.add(deleted("a", 3));
    pending.add(deleted("a", 4));
    pending.add(added("a", 5));
    assertThat(drain(pending)).containsExactly("~a1>2", "-a3", "-a4", "+a5");
  }

  /** Only states of one object are merged, even if nobody told of the change of objects. */
  @Test
  void mergesNoStatesOfDifferentObjects() {
    pending.add(updated("a", 1, 2));
    pending.add(new ResourceEvent.Updated<>(state("a", "second", 3), state("a", "second", 4)));
    assertThat(drain(pending)).containsExactly("~a1>2", "~a3>4");
  }

  /** An object that is created again is a deletion and an addition, whatever follows. */
  @Test
  void showsARecreationAsDeletionAndAddition() {
    pending.add(new ResourceEvent.Added<>(state("a", "first", 1), false));
    pending.add(new ResourceEvent.Deleted<>(state("a", "first", 2), true));
    pending.add(new ResourceEvent.Added<>(state("a", "second", 3), false));
    pending.add(new ResourceEvent.Updated<>(state("a", "second", 3), state("a", "second", 4)));
    assertThat(drain(pending)).containsExactly("+a1", "-a2 missed", "+a4");
  }

  @Test
  void mergesNothingIntoWhatWasHandedOut() {
    pending.add(updated("a", 1, 2));
    PendingEvents.Slot<ConfigMap> taken = pending.poll();
    pending.add(updated("a", 2, 3));
    ResourceEvent<ConfigMap> event = taken == null ? null : taken.event();
    assertThat(event == null ? "nothing" : show(event)).isEqualTo("~a1>2");
    assertThat(drain(pending)).containsExactly("~a2>3");
  }

  /** The mark stays behind what was there before it, and merging does not move it. */
  @Test
  void keepsTheMarkInItsPlace() {
    pending.add(added("a", 1));
    pending.addMark();
    pending.add(updated("a", 1, 2));
    pending.add(added("b", 1));
    assertThat(drain(pending)).containsExactly("+a2", "mark", "+b1");
  }

  @Test
  void forgetsEverythingWhenCleared() {
    pending.add(updated("a", 1, 2));
    pending.clear();
    pending.add(updated("a", 2, 3));
    assertThat(drain(pending)).containsExactly("~a2>3");
  }
}
