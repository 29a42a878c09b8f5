// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PendingEventsTest {

  private static final Pattern EVENT =
      Pattern.compile("([-+~])([a-z])(\\d)(?:>(\\d))?(!)?(?::(\\w+))?");

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
      case GENERIC -> "*" + name;
    };
  }

  private static String version(CachedObject<ConfigMap> object) {
    return object.resourceVersion();
  }

  private static ResourceEvent<ConfigMap> added(String name, long version) {
    return new ResourceEvent.Added<>(state(name, version), false);
  }

  private static ResourceEvent<ConfigMap> added(String name, String uid, long version) {
    return new ResourceEvent.Added<>(state(name, uid, version), false);
  }

  private static ResourceEvent<ConfigMap> updated(String name, String uid, long from, long to) {
    return new ResourceEvent.Updated<>(state(name, uid, from), state(name, uid, to));
  }

  private static ResourceEvent<ConfigMap> deleted(String name, String uid, long version) {
    return new ResourceEvent.Deleted<>(state(name, uid, version), false);
  }

  private static ResourceEvent<ConfigMap> updated(String name, long from, long to) {
    return new ResourceEvent.Updated<>(state(name, from), state(name, to));
  }

  private static ResourceEvent<ConfigMap> deleted(String name, long version) {
    return new ResourceEvent.Deleted<>(state(name, version), false);
  }

  private static void add(PendingEvents<ConfigMap> events, ResourceEvent<ConfigMap> event) {
    events.add(List.of(event), 0);
  }

  static List<String> drain(PendingEvents<ConfigMap> events) {
    List<String> seen = new ArrayList<>();
    for (var slot = events.take(); slot != null; slot = events.take()) {
      ResourceEvent<ConfigMap> event = slot.event();
      seen.add(event == null ? "mark" : show(event));
      events.done(slot);
    }
    assertThat(events.size()).isZero();
    return seen;
  }

  /** What goes in comes out, in order, as long as not too much waits. */
  @Test
  void handsOutWhatItTookBelowTheBound() {
    PendingEvents<ConfigMap> roomy = new PendingEvents<>(1_000);
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      add(roomy, updated("a", i - 1, i));
      expected.add("~a" + (i - 1) + ">" + i);
    }
    assertThat(roomy.size()).isEqualTo(1_000);
    add(roomy, updated("a", 1_000, 1_001));
    assertThat(roomy.size()).as("full").isEqualTo(1_000);
    expected.set(999, "~a999>1001");
    assertThat(drain(roomy)).isEqualTo(expected);
  }

  static Stream<Arguments> merges() {
    return Stream.of(
        arguments(
            "the old state of the first, the new one of the last",
            "~a1>2 ~b1>2 ~a2>3 ~a3>4",
            "~a1>4, ~b1>2"),
        arguments("updates go into the addition before them", "+a1! ~a1>2 +b1 ~b1>2", "+a2, +b2"),
        arguments(
            "a resync says nothing new: what was listed does not become urgent",
            "+a1! +b1! +c1! ~a1>1 ~b1>1 ~b1>2 ~b2>2",
            "+a1 initial, +b2, +c1 initial"),
        arguments("a resync does not hide that something happened", "~a1>2 ~a2>2", "~a1>2"),
        arguments("deletions are not merged", "~a1>2 -a3 -a4 +a5", "~a1>2, -a3, -a4, +a5"),
        arguments("only states of one object are merged", "~a1>2 ~a3>4:x", "~a1>2, ~a3>4"),
        arguments(
            "a recreation is a deletion and an addition",
            "+a1:1 -a2!:1 +a3:2 ~a3>4:2",
            "+a1, -a2 missed, +a4"),
        arguments(
            "the mark stays behind what was there before it",
            "+a1 mark ~a1>2 +b1",
            "+a2, mark, +b1"),
        arguments(
            "an end without a deletion before it is kept",
            "+a1:1 -a2:1 ~b1>2:1 -b3:1",
            "+a1, -a2, ~b1>2, -b3"),
        arguments("nobody told of the end of the first", "~c1>2:1 +c3:2 -c4:2", "~c1>2, +c3, -c4"));
  }

  /** What is handed out of so many events that find too many before them. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("merges")
  void mergesWhatTellsNothingNew(String why, String events, String handedOut) {
    for (String event : events.split(" ", -1)) {
      if (event.equals("mark")) {
        pending.addMark(0);
      } else {
        add(pending, parsed(event));
      }
    }
    assertThat(drain(pending)).as(why).containsExactly(handedOut.split(", ", -1));
  }

  /** An event as {@link #show} has it; ! stands for initial or missed, the uid comes last. */
  private static ResourceEvent<ConfigMap> parsed(String text) {
    Matcher event = EVENT.matcher(text);
    assertThat(event.matches()).as(text).isTrue();
    String name = event.group(2);
    String uid = event.group(6) == null ? name : event.group(6);
    CachedObject<ConfigMap> state = state(name, uid, Long.parseLong(event.group(3)));
    boolean marked = event.group(5) != null;
    return switch (event.group(1)) {
      case "+" -> new ResourceEvent.Added<>(state, marked);
      case "-" -> new ResourceEvent.Deleted<>(state, marked);
      default ->
          new ResourceEvent.Updated<>(state, state(name, uid, Long.parseLong(event.group(4))));
    };
  }

  @Test
  void mergesNothingIntoWhatWasHandedOut() {
    add(pending, updated("a", 1, 2));
    CompactingEventList.Slot<ConfigMap> taken = pending.take();
    add(pending, updated("a", 2, 3));
    assertThat(pending.size()).isEqualTo(1);
    assertThat(taken).isNotNull();
    assertThat(drain(pending)).containsExactly("~a1>2", "~a2>3");
  }

  /** A name that came and went is told by the deletion that waits already. */
  @Test
  void forgetsAnObjectThatCameAndWentBehindADeletion() {
    add(pending, updated("a", "1", 1, 2));
    add(pending, deleted("a", "1", 3));
    add(pending, added("b", 1));
    add(pending, added("a", "2", 4));
    add(pending, updated("a", "2", 4, 5));
    pending.addMark(0);
    add(pending, added("c", 1));
    add(pending, deleted("a", "2", 6));
    assertThat(pending.size()).isEqualTo(4);
    add(pending, added("a", "3", 7));
    assertThat(drain(pending)).containsExactly("~a1>2", "-a3", "+b1", "mark", "+c1", "+a7");
  }

  /** Also what came one by one, when there was room. */
  @Test
  void forgetsAllUpdatesOfAnObjectThatCameAndWent() {
    PendingEvents<ConfigMap> roomy = new PendingEvents<>(5);
    add(roomy, deleted("a", "1", 1));
    add(roomy, added("a", "2", 2));
    add(roomy, updated("a", "2", 2, 3));
    add(roomy, added("b", 1));
    add(roomy, updated("a", "2", 3, 4));
    assertThat(roomy.size()).isEqualTo(5);
    add(roomy, deleted("a", "2", 5));
    assertThat(roomy.size()).isEqualTo(2);
    add(roomy, added("a", "3", 6));
    add(roomy, deleted("a", "3", 7));
    assertThat(drain(roomy)).as("there was room again").containsExactly("-a1", "+b1", "+a6", "-a7");
  }

  /** The handler has heard of it, or is about to. */
  @Test
  void keepsTheEndOfAnObjectWhoseAdditionWasTaken() {
    add(pending, deleted("a", "1", 1));
    add(pending, added("a", "2", 2));
    CompactingEventList.Slot<ConfigMap> taken = pending.take();
    add(pending, deleted("a", "2", 3));
    assertThat(taken).isNotNull();
    assertThat(drain(pending)).containsExactly("-a1", "+a2", "-a3");
  }

  /** What is in the middle of a batch of 100 that was taken is handed out all the same. */
  @Test
  void takesInBatchesAndCountsWhatIsInHand() {
    PendingEvents<ConfigMap> roomy = new PendingEvents<>(1_000);
    for (int i = 1; i <= 250; i++) {
      add(roomy, updated("a", i - 1, i));
    }
    for (int i = 1; i <= 250; i++) {
      CompactingEventList.Slot<ConfigMap> slot = roomy.take();
      assertThat(roomy.size()).isEqualTo(250 - i);
      if (slot != null) {
        roomy.done(slot);
      }
    }
    assertThat(roomy.take()).isNull();
  }

  /** The one who takes sleeps only if nothing waits, so only then it must be woken. */
  @Test
  void saysWhetherNothingWaitedBefore() {
    assertThat(pending.add(List.of(added("a", 1)), 0)).isTrue();
    assertThat(pending.add(List.of(added("b", 1)), 0)).isFalse();
    drain(pending);
    assertThat(pending.add(List.of(added("c", 1), added("d", 1)), 0)).isTrue();
    assertThat(pending.add(List.of(), 0)).isFalse();
  }

  /** Lag: merging makes nothing younger, and what is being handled counts. */
  @Test
  void saysHowOldTheOldestIs() {
    assertThat(pending.age(7)).isZero();
    pending.add(List.of(updated("a", 1, 2)), 1);
    pending.add(List.of(updated("a", 2, 3)), 5);
    pending.add(List.of(updated("b", 1, 2)), 6);
    assertThat(pending.age(7)).isEqualTo(6);
    CompactingEventList.Slot<ConfigMap> slot = pending.take();
    assertThat(pending.age(8)).isEqualTo(7);
    if (slot != null) {
      pending.done(slot);
    }
    assertThat(pending.age(8)).isEqualTo(2);
    drain(pending);
    assertThat(pending.age(8)).isZero();
  }

  /** What was handed out and what has vanished is garbage, whatever still waits. */
  @Test
  void holdsOnlyWhatWaits() throws Exception {
    Set<Object> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 500; i++) {
      add(pending, deleted("a", "x" + i, 4L * i));
      add(pending, added("a", "y" + i, 4L * i + 1));
      add(pending, deleted("a", "y" + i, 4L * i + 2));
      add(pending, added("a", "x" + (i + 1), 4L * i + 3));
      CompactingEventList.Slot<ConfigMap> slot = i % 2 == 0 ? pending.take() : null;
      if (slot != null) {
        pending.done(slot);
      }
    }
    collect(pending, waiting);
    assertThat(waiting.stream().filter(ResourceEvent.class::isInstance).count())
        .isEqualTo(pending.size());
    pending.close();
    waiting.clear();
    collect(pending, waiting);
    assertThat(waiting).noneMatch(ResourceEvent.class::isInstance);
  }

  /** A neighbour of the same key must not be held by what came after it. */
  @Test
  void doesNotHoldWhatWasHandedOutOfTheSameKey() throws Exception {
    add(pending, deleted("a", "1", 1));
    for (int i = 1; i < 100; i++) {
      add(pending, added("o" + i, 1));
    }
    add(pending, updated("b", 1, 2));
    add(pending, added("a", "2", 2));
    for (int i = 0; i < 100; i++) {
      CompactingEventList.Slot<ConfigMap> slot = pending.take();
      if (slot != null) {
        pending.done(slot);
      }
    }
    Set<Object> held = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(pending, held);
    assertThat(held.stream().filter(ResourceEvent.class::isInstance).count()).isEqualTo(2);
    add(pending, deleted("a", "2", 3));
    assertThat(drain(pending)).containsExactly("~b1>2", "+a2", "-a3");
  }

  /** What can be reached from an object through the fields of the classes in here. */
  private static void collect(@Nullable Object from, Set<Object> found) throws Exception {
    Deque<Object> open = new ArrayDeque<>();
    if (from != null) {
      open.add(from);
    }
    while (!open.isEmpty()) {
      Object next = open.remove();
      if (!found.add(next)) {
        continue;
      }
      if (next instanceof Map<?, ?> map) {
        open.addAll(map.values());
      }
      if (next instanceof PendingEvents<?>
          || next instanceof CompactingEventList<?>
          || next instanceof CompactingEventList.Slot<?>) {
        for (Field field : next.getClass().getDeclaredFields()) {
          field.setAccessible(true);
          Object value = field.get(next);
          if (value != null) {
            open.add(value);
          }
        }
      }
    }
  }

  /** For good: who adds may not have noticed yet. */
  @Test
  void forgetsEverythingWhenClosed() {
    add(pending, updated("a", 1, 2));
    add(pending, updated("b", 1, 2));
    pending.take();
    pending.close();
    add(pending, updated("a", 2, 3));
    pending.addMark(0);
    assertThat(drain(pending)).isEmpty();
  }

  /** The lane is removed between two steps of the thread that lets go of an event. */
  @Test
  void holdsNothingIfItIsClosedWhileAnEventIsLetGo() throws Exception {
    for (int i = 0; i < 100; i++) {
      add(pending, added("a" + i, 1));
    }
    CompactingEventList.Slot<ConfigMap> slot = Objects.requireNonNull(pending.take());
    CompactingEventList.Slot<ConfigMap> next = slot.next();
    pending.close();
    pending.hold(next);
    assertHoldsNothing();
  }

  /** And between two of the thread that takes one. */
  @Test
  void countsNothingIfItIsClosedWhileAnEventIsTaken() throws Exception {
    for (int i = 0; i < 100; i++) {
      add(pending, added("a" + i, 1));
    }
    assertThat(pending.take()).isNotNull();
    int before = pending.size();
    pending.close();
    pending.countHandedOut(before);
    assertHoldsNothing();
  }

  private void assertHoldsNothing() throws Exception {
    Set<Object> held = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(pending, held);
    assertThat(held).noneMatch(ResourceEvent.class::isInstance);
    assertThat(pending.size()).isZero();
    assertThat(pending.age(1)).isZero();
  }
}
