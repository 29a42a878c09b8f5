// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ObjectTableTest {

  private final ObjectTable<ConfigMap> table = new ObjectTable<>();

  private void fill(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(table.put(state("o" + i, 1))).isNull();
    }
  }

  @Test
  void takesBackAKeyThatWasRemoved() {
    fill(0, 5);
    for (int i = 0; i < 100; i++) {
      assertThat(table.remove(key("o1"))).isNotNull();
      assertThat(table.remove(key("o1"))).isNull();
      assertThat(table.get(key("o1"))).isNull();
      assertThat(table.put(state("o1", i))).isNull();
    }
    assertThat(table.list()).hasSize(5);
    assertThat(table.size()).isEqualTo(5);
    assertThat(table.capacity()).as("one key uses one slot").isEqualTo(10);
  }

  /** "Aa" and "BB" have one hash code, and so have all their combinations. */
  @Test
  void tellsKeysWithOneHashCodeApart() {
    List<String> names = new ArrayList<>(List.of(""));
    for (int i = 0; i < 6; i++) {
      names = names.stream().flatMap(n -> List.of(n + "Aa", n + "BB").stream()).toList();
    }
    assertThat(names.stream().map(n -> key(n).hashCode()).distinct()).hasSize(1);
    names.forEach(name -> table.put(state(name, 1)));
    for (int i = 0; i < names.size(); i += 2) {
      table.remove(key(names.get(i)));
    }
    for (int i = 0; i < names.size(); i++) {
      assertThat(table.get(key(names.get(i))) == null).isEqualTo(i % 2 == 0);
    }
    assertThat(table.list()).hasSize(names.size() / 2);
  }

  @Test
  void takesTwoSlotsForOneObjectAndAtMostTwoPerObjectWhileItGrows() {
    assertThat(table.capacity()).isEqualTo(2);
    for (int i = 1; i <= 10_000; i++) {
      fill(i - 1, i);
      assertThat(table.capacity()).isBetween((int) Math.ceil(1.5 * i), 2 * i);
    }
  }

  @Test
  void givesBackSpaceWhenObjectsAreRemoved() {
    fill(0, 10_000);
    for (int i = 9_999; i >= 0; i--) {
      table.remove(key("o" + i));
      assertThat(table.capacity()).isLessThanOrEqualTo(Math.max(2, 4 * i));
    }
  }

  /** Keys that come and go leave nothing behind for long. */
  @Test
  void doesNotGrowWithKeysThatAreNoLongerThere() {
    fill(0, 100);
    for (int i = 100; i < 100_000; i++) {
      fill(i, i + 1);
      table.remove(key("o" + (i - 100)));
      assertThat(table.capacity()).isLessThanOrEqualTo(2 * 101);
    }
    assertThat(table.list()).hasSize(100);
  }

  /** What readers rely on: a walk meets each key once, whatever the writer does to it meanwhile. */
  @Test
  void showsNoKeyTwiceInOneWalk() {
    fill(0, 40);
    List<ObjectKey> met = new ArrayList<>();
    Set<ObjectKey> others = new HashSet<>();
    table.forEach(
        object -> {
          met.add(object.key());
          // The key goes, its place is wanted by others, and it comes again.
          table.remove(object.key());
          for (int i = 0; i < 3; i++) {
            String name = "other" + met.size() + "-" + i;
            others.add(key(name));
            table.put(state(name, 1));
          }
          others.forEach(table::remove);
          table.put(ConfigMaps.state(object.key().name(), 2));
        });
    assertThat(met).doesNotHaveDuplicates();
    assertThat(met)
        .contains(table.list().stream().map(CachedObject::key).toArray(ObjectKey[]::new));
    assertThat(table.list()).hasSize(40);
  }
}
