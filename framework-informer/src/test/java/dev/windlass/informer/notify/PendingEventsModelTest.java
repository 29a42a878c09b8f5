// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * Names that come and go, and a handler that takes now and then. It hears a plausible story of each
 * name, knows the truth in the end, and hears the end of whatever it has heard of, with its last
 * state; and what waits is bounded by the number of names.
 */
final class PendingEventsModelTest {

  private static final int NAMES = 8;

  @Property(tries = 500)
  void tellsAPlausibleStoryThatEndsWithTheTruth(@ForAll long seed) {
    new Story(seed).check();
  }

  private static final class Story {
    private final long seed;
    private final Random random;
    private final int bound;
    private final PendingEvents<ConfigMap> pending;
    private final Map<String, CachedObject<ConfigMap>> truth = new HashMap<>();
    private final Map<String, CachedObject<ConfigMap>> known = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private int marks;

    Story(long seed) {
      this.seed = seed;
      random = new Random(seed);
      bound = random.nextInt(4) * 15;
      pending = new PendingEvents<>(bound);
    }

    void check() {
      int eagerness = random.nextInt(5);
      int marked = 0;
      for (int version = 1; version < 1_500; version++) {
        if (random.nextInt(500) == 0) {
          pending.addMark(0);
          marked++;
        }
        pending.add(event("o" + random.nextInt(NAMES), version), 0);
        // 100 more may be in hand, and marks are not compressed
        assertThat(pending.size()).as("seed %d", seed).isLessThanOrEqualTo(bound + 3 * NAMES + 100);
        if (random.nextInt(100) < 10 * eagerness) {
          take(random.nextInt(20));
        }
      }
      take(Integer.MAX_VALUE);
      assertThat(known).as("seed %d", seed).isEqualTo(truth);
      assertThat(marks).isEqualTo(marked);
      assertThat(pending.size()).isZero();
    }

    private ResourceEvent<ConfigMap> event(String name, int version) {
      CachedObject<ConfigMap> there = truth.get(name);
      if (there == null) {
        CachedObject<ConfigMap> created = ConfigMaps.state(name, name + "-" + version, version);
        truth.put(name, created);
        return new ResourceEvent.Added<>(created, false);
      }
      CachedObject<ConfigMap> next = ConfigMaps.state(name, there.uid(), version);
      if (random.nextInt(3) == 0) {
        truth.remove(name);
        return new ResourceEvent.Deleted<>(next, false);
      }
      truth.put(name, next);
      return new ResourceEvent.Updated<>(there, next);
    }

    private void take(int count) {
      for (int i = 0; i < count; i++) {
        CompactingEventList.Slot<ConfigMap> slot = pending.take();
        if (slot == null) {
          return;
        }
        ResourceEvent<ConfigMap> event = slot.event();
        if (event == null) {
          marks++;
        } else {
          hear(event);
        }
        pending.done(slot);
      }
    }

    private void hear(ResourceEvent<ConfigMap> event) {
      String name = event.key().name();
      @Nullable CachedObject<ConfigMap> past = known.get(name);
      switch (event.type()) {
        case ADDED -> {
          assertThat(past).as("seed %d: %s", seed, event).isNull();
          known.put(name, event.object());
        }
        case UPDATED -> {
          assertThat(((ResourceEvent.Updated<ConfigMap>) event).old())
              .as("seed %d: %s", seed, event)
              .isSameAs(past);
          known.put(name, event.object());
        }
        case DELETED -> {
          assertThat(past != null && past.isOlderThan(event.object()))
              .as("seed %d: %s", seed, event)
              .isTrue();
          known.remove(name);
          assertThat(ended.add(event.object().uid())).as("seed %d: %s", seed, event).isTrue();
        }
        case GENERIC -> throw new AssertionError("no informer says so: " + event);
      }
    }
  }
}
