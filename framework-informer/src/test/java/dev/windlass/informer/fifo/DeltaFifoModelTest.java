// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ConfigMaps;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random operations beside the simplest queue there is: segments between barriers, in each a list
 * of changes per object.
 */
final class DeltaFifoModelTest {

  /** Below the bound, what comes out is exactly what went in, grouped. */
  @Property(tries = 200)
  void handsOutWhatTheModelDoes(@ForAll long seed) {
    Random random = new Random(seed);
    DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {});
    List<Map<String, List<String>>> segments = new ArrayList<>();
    segments.add(new LinkedHashMap<>());
    for (int i = 0; i < 500; i++) {
      String name = "o" + random.nextInt(5);
      Map<String, List<String>> last = segments.get(segments.size() - 1);
      switch (random.nextInt(7)) {
        case 0 -> {
          fifo.added(ConfigMaps.state(name, i));
          last.computeIfAbsent(name, n -> new ArrayList<>()).add("+" + name + i);
        }
        case 1 -> {
          fifo.updated(ConfigMaps.state(name, i));
          last.computeIfAbsent(name, n -> new ArrayList<>()).add("~" + name + i);
        }
        case 2 -> {
          fifo.deleted(ConfigMaps.state(name, i));
          last.computeIfAbsent(name, n -> new ArrayList<>()).add("-" + name + i);
        }
        case 3 -> {
          if (random.nextBoolean()) {
            fifo.sync(() -> {});
            segments.add(new LinkedHashMap<>(Map.of("", List.of("sync"))));
          } else {
            fifo.replace(List.of());
            segments.add(new LinkedHashMap<>(Map.of("", List.of("[]"))));
          }
          segments.add(new LinkedHashMap<>());
        }
        default -> {
          List<String> expected = List.of();
          while (segments.size() > 1 && segments.get(0).isEmpty()) {
            segments.remove(0);
          }
          if (!segments.get(0).isEmpty()) {
            expected = segments.get(0).remove(segments.get(0).keySet().iterator().next());
          }
          assertThat(fifo.poll().stream().map(DeltaFifoTest::show).toList())
              .as("seed %d, operation %d", seed, i)
              .isEqualTo(expected);
        }
      }
      int size = segments.stream().flatMap(s -> s.values().stream()).mapToInt(List::size).sum();
      assertThat(fifo.size()).as("seed %d, operation %d", seed, i).isEqualTo(size);
    }
  }

  /**
   * Above the bound, with objects that come and go: the last state and every deletion come out, and
   * versions of an object only grow.
   */
  @Property(tries = 20)
  void losesNoLastStateAndNoDeletionAboveTheBound(@ForAll long seed) {
    Random random = new Random(seed);
    DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {});
    Map<String, String> lastState = new LinkedHashMap<>();
    Set<String> deletions = new HashSet<>();
    Map<String, Integer> incarnation = new LinkedHashMap<>();
    for (int i = 0; i < 5_000; i++) {
      String name = "o" + random.nextInt(20);
      String uid = name + "-" + incarnation.getOrDefault(name, 0);
      if (random.nextInt(50) == 0) {
        fifo.deleted(ConfigMaps.state(name, uid, i));
        deletions.add("-" + name + i);
        lastState.remove(name);
        incarnation.merge(name, 1, Integer::sum);
      } else {
        fifo.updated(ConfigMaps.state(name, uid, i));
        lastState.put(name, "~" + name + i);
      }
    }
    assertThat(fifo.size()).isLessThan(DeltaFifo.BOUND + 2 * deletions.size() + 20);
    Map<String, String> seenLast = new LinkedHashMap<>();
    Set<String> seenDeletions = new HashSet<>();
    for (var deltas = fifo.poll(); !deltas.isEmpty(); deltas = fifo.poll()) {
      int version = -1;
      for (Delta<ConfigMap> delta : deltas) {
        String text = DeltaFifoTest.show(delta);
        if (delta.type() == Delta.Type.DELETED) {
          seenDeletions.add(text);
          seenLast.remove(name(delta));
        } else {
          seenLast.put(name(delta), text);
        }
        int next = version(delta);
        assertThat(next).as("seed %d, %s", seed, text).isGreaterThan(version);
        version = next;
      }
    }
    assertThat(seenLast).as("seed %d", seed).isEqualTo(lastState);
    assertThat(seenDeletions).as("seed %d", seed).isEqualTo(deletions);
  }

  private static String name(Delta<ConfigMap> delta) {
    return delta.type() == Delta.Type.DELETED
        ? ((Delta.Deleted<ConfigMap>) delta).object().key().name()
        : ((Delta.Updated<ConfigMap>) delta).object().key().name();
  }

  private static int version(Delta<ConfigMap> delta) {
    return Integer.parseInt(
        delta.type() == Delta.Type.DELETED
            ? ((Delta.Deleted<ConfigMap>) delta).object().resourceVersion()
            : ((Delta.Updated<ConfigMap>) delta).object().resourceVersion());
  }
}
