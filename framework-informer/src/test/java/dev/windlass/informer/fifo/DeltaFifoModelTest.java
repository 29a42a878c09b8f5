// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashMap;
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
            fifo.replace(List.of(), -1);
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
   * Above the bound, with names that come and go and a consumer that sometimes looks: it knows what
   * the server has in the end, heard of the last state and the end of all that it heard of, and
   * what waited was bounded by the number of names.
   */
  @Property(tries = 30)
  void losesNothingThatTheConsumerKnowsAboveTheBound(@ForAll long seed) {
    new Flapping(seed).check();
  }

  /** A server whose objects come and go, and a consumer that is too slow for it. */
  private static final class Flapping {
    private static final int NAMES = 20;

    private final Random random;
    private final long seed;
    private final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {});
    private final Map<String, CachedObject<ConfigMap>> server = new HashMap<>();
    private final Map<String, CachedObject<ConfigMap>> known = new HashMap<>();
    private final Map<String, CachedObject<ConfigMap>> lastStates = new HashMap<>();

    /** Uids whose addition and whose end the consumer took notice of. */
    private final Set<String> begun = new HashSet<>();

    private final Set<String> ended = new HashSet<>();

    Flapping(long seed) {
      this.seed = seed;
      random = new Random(seed);
    }

    void check() {
      for (int i = 0; i < DeltaFifo.BOUND; i++) {
        fifo.added(ConfigMaps.state("filler" + i, 1));
      }
      int changes = 1 + random.nextInt(10);
      for (int version = 2; version < 5_000; version++) {
        happen("o" + random.nextInt(NAMES), version, changes);
        if (random.nextInt(500) == 0) {
          fifo.poll(random.nextInt(10)).forEach(deltas -> deltas.forEach(this::apply));
        }
        assertThat(fifo.size())
            .as("seed %d", seed)
            .isLessThanOrEqualTo(DeltaFifo.BOUND + 4 * NAMES);
      }
      while (fifo.size() > 0) {
        fifo.poll().forEach(this::apply);
      }
      known.keySet().removeIf(name -> name.startsWith("filler"));
      assertThat(known).as("seed %d", seed).isEqualTo(server);
      server.values().forEach(object -> assertThat(begun.remove(object.uid())).isTrue());
      begun.removeIf(uid -> uid.startsWith("filler"));
      assertThat(ended).as("seed %d: all that began and is no more", seed).isEqualTo(begun);
    }

    private void happen(String name, int version, int changes) {
      CachedObject<ConfigMap> there = server.get(name);
      if (there == null) {
        CachedObject<ConfigMap> created = ConfigMaps.state(name, name + "-" + version, version);
        server.put(name, created);
        fifo.added(created);
      } else if (random.nextInt(changes) > 0) {
        CachedObject<ConfigMap> changed = ConfigMaps.state(name, there.uid(), version);
        server.put(name, changed);
        fifo.updated(changed);
      } else {
        server.remove(name);
        fifo.deleted(ConfigMaps.state(name, there.uid(), version));
        lastStates.put(there.uid(), there);
      }
    }

    private void apply(Delta<ConfigMap> delta) {
      CachedObject<ConfigMap> state = ((Delta.Change<ConfigMap>) delta).object();
      if (delta.type() == Delta.Type.DELETED) {
        CachedObject<ConfigMap> last = state;
        CachedObject<ConfigMap> past = known.get(last.key().name());
        if (past != null && past.isSameObject(last)) {
          assertThat(past).as("seed %d: the last state", seed).isSameAs(lastStates.get(past.uid()));
          known.remove(last.key().name());
          ended.add(last.uid());
        }
        return;
      }
      CachedObject<ConfigMap> past = known.put(state.key().name(), state);
      assertThat(past == null || past.isOlderThan(state)).as("seed %d: %s", seed, state).isTrue();
      begun.add(state.uid());
    }
  }
}
