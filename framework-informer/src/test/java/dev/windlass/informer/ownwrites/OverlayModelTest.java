// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.index.Labelled;
import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ParsedObject;
import dev.windlass.scheduling.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** A late watch, later answers, other writers: nobody reads a state older than they wrote. */
final class OverlayModelTest {

  private final ManualScheduler time = new ManualScheduler();
  private final Store<ConfigMap> store = Store.create();
  private final Overlay<ConfigMap> overlay =
      new Overlay<>(
          store, false, new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class)), time, state -> {});
  private final Store<ConfigMap> cache = store;

  {
    store.observe(overlay);
  }

  /** All that the server ever had under a key, in order; empty text where there was nothing. */
  private final Map<ObjectKey, List<String>> history = new HashMap<>();

  /** How far into that history own writes have come whose answers are known. */
  private final Map<ObjectKey, Integer> known = new HashMap<>();

  private final ArrayDeque<Runnable> feed = new ArrayDeque<>();
  private final List<Runnable> answers = new ArrayList<>();
  private long version = 10;
  private int uids;

  @Property(tries = 500)
  void showsNothingOlderThanWhatWasWritten(@ForAll long seed) {
    OverlayModelTest test = new OverlayModelTest();
    Random random = new Random(seed);
    test.cache.addIndex("v", Labelled::values);
    for (int i = 0; i < 120; i++) {
      test.step(random);
      test.look("seed %d, step %d".formatted(seed, i));
    }
    test.settle(seed);
  }

  private void step(Random random) {
    ObjectKey key = ObjectKey.of("n", "o" + random.nextInt(3));
    switch (random.nextInt(8)) {
      case 0, 1 -> write(key, random, true);
      case 2 -> write(key, random, false);
      case 3, 4 -> {
        for (int i = random.nextInt(4); i > 0 && !feed.isEmpty(); i--) {
          feed.remove().run();
        }
      }
      case 5, 6 -> {
        if (!answers.isEmpty()) {
          answers.remove(random.nextInt(answers.size())).run();
        }
      }
      default -> {
        if (random.nextInt(4) == 0) {
          relist();
        }
      }
    }
  }

  private void write(ObjectKey key, Random random, boolean own) {
    List<String> states = history.computeIfAbsent(key, k -> new ArrayList<>(List.of("")));
    String before = states.get(states.size() - 1);
    boolean deletes = !before.isEmpty() && random.nextInt(3) == 0;
    version++;
    String uid = before.isEmpty() ? "u" + ++uids : decode(before).uid();
    String after = deletes ? "" : json(key, uid, random.nextBoolean() ? "x" : "y");
    states.add(after);
    feed.add(deletes ? () -> cache.remove(key) : () -> cache.put(decode(after)));
    if (own) {
      int position = states.size() - 1;
      long then = version;
      boolean vague = random.nextInt(10) == 0 && !deletes;
      overlay.begin();
      answers.add(
          () -> {
            if (deletes) {
              overlay.deleted(key, random.nextInt(4) == 0 && shows(key, uid) ? "" : uid);
            } else if (vague) {
              overlay.unclear(key, then);
            } else {
              overlay.written(ParsedObject.of(after.getBytes(StandardCharsets.UTF_8)));
            }
            overlay.end();
            known.merge(key, position, Math::max);
          });
    }
  }

  private boolean shows(ObjectKey key, String uid) {
    return overlay.get(key).map(CachedObject::uid).filter(uid::equals).isPresent();
  }

  private void relist() {
    feed.clear();
    history.forEach(
        (key, states) -> {
          String now = states.get(states.size() - 1);
          if (now.isEmpty()) {
            cache.remove(key);
          } else {
            cache.put(decode(now));
          }
        });
    cache.listed(version);
  }

  private void look(String when) {
    history.forEach(
        (key, states) -> {
          CachedObject<ConfigMap> shown = overlay.get(key).orElse(null);
          if (!overlay.isUnclear(key)) {
            int position = states.lastIndexOf(text(shown));
            assertThat(position)
                .as("%s: %s shows %s of %s", when, key, text(shown), states)
                .isGreaterThanOrEqualTo(known.getOrDefault(key, 0));
          }
        });
    assertThat(texts(overlay.list())).as(when).isEqualTo(shownOneByOne("x", "y"));
    assertThat(texts(overlay.byIndex("v", "x"))).as(when).isEqualTo(shownOneByOne("x"));
  }

  private List<String> shownOneByOne(String... values) {
    return history.keySet().stream()
        .flatMap(key -> overlay.get(key).stream())
        .filter(object -> List.of(values).contains(object.labels().get("v")))
        .map(OverlayModelTest::text)
        .sorted()
        .collect(Collectors.toList());
  }

  private void settle(long seed) {
    answers.forEach(Runnable::run);
    feed.forEach(Runnable::run);
    time.advance(Duration.ofMinutes(10)); // for what a list hid from the watch
    relist();
    assertThat(overlay.waiting()).as("waiting in the end, seed %d", seed).isZero();
    history.forEach(
        (key, states) ->
            assertThat(text(overlay.get(key).orElse(null)))
                .isEqualTo(states.get(states.size() - 1)));
  }

  private static List<String> texts(List<CachedObject<ConfigMap>> objects) {
    return objects.stream().map(OverlayModelTest::text).sorted().collect(Collectors.toList());
  }

  private static String text(@Nullable CachedObject<ConfigMap> object) {
    return object == null
        ? ""
        : json(object.key(), object.uid(), object.version(), object.labels().get("v"));
  }

  private String json(ObjectKey key, String uid, String label) {
    return json(key, uid, version, label);
  }

  private static String json(ObjectKey key, String uid, long version, @Nullable String label) {
    return """
    {"metadata":{"namespace":"%s","name":"%s","uid":"%s","resourceVersion":"%d",\
    "labels":{"v":"%s"}}}\
    """
        .formatted(key.namespace(), key.name(), uid, version, label);
  }

  private CachedObject<ConfigMap> decode(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class)).decode(bytes, 0, bytes.length);
  }
}
