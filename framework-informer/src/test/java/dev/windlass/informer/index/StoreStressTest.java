// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.selector.Selector;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers on real threads beside a writer that updates some objects without pause, and adds and
 * removes others so that tables grow, shrink and are copied. In fabric8 #7265, a read by index saw
 * an object vanish for a moment.
 */
@Timeout(60)
final class StoreStressTest {

  private static final int WRITES = 12_000;
  private static final int STABLE = 6;

  /** States of the objects that are there throughout: always under x, and under y or z by turns. */
  private static final List<List<CachedObject<ConfigMap>>> STATES =
      IntStream.range(0, STABLE)
          .mapToObj(
              i ->
                  IntStream.rangeClosed(0, WRITES / STABLE)
                      .mapToObj(v -> Labelled.object("stable" + i, v, v % 2 == 0 ? "x.y" : "z.x"))
                      .toList())
          .toList();

  /** Objects that come and go. */
  private static final List<CachedObject<ConfigMap>> TRANSIENT =
      IntStream.range(0, 60)
          .mapToObj(i -> Labelled.object("transient" + i, 1, i % 2 == 0 ? "x" : "y"))
          .toList();

  private final Store<ConfigMap> store = Store.create();
  private final AtomicBoolean done = new AtomicBoolean();

  StoreStressTest() {
    store.addIndex("v", Labelled::values);
    STATES.forEach(states -> store.put(states.get(0)));
  }

  @Test
  void neverShowsAKeyVanishOrTwiceByIndex() throws Exception {
    hammer(() -> complete(store.byIndex("v", "x")));
  }

  @Test
  void neverShowsAKeyVanishOrTwiceInANamespace() throws Exception {
    hammer(() -> complete(store.byIndex(Indexer.BY_NAMESPACE, "default")));
  }

  @Test
  void neverShowsAKeyVanishOrTwiceInTheWholeList() throws Exception {
    hammer(() -> complete(store.list()));
  }

  @Test
  void neverShowsAKeyVanishOrTwiceInAQuery() throws Exception {
    Query query =
        Query.ALL.inNamespace("default").withIndex("v", "x").withLabels(Selector.parse("v"));
    hammer(() -> complete(store.list(query)));
  }

  @Test
  void neverShowsAKeyVanishWhenItIsReadAlone() throws Exception {
    hammer(
        () -> {
          List<CachedObject<ConfigMap>> found = new ArrayList<>();
          for (int i = 0; i < STABLE; i++) {
            store.get(STATES.get(i).get(0).key()).ifPresent(found::add);
          }
          complete(found);
          Set<ObjectKey> keys = store.keys();
          if (!found.stream().allMatch(object -> keys.contains(object.key()))) {
            throw new AssertionError("only the keys " + keys);
          }
        });
  }

  /** An object that changes its value is never found under the wrong one, nor under both. */
  @Test
  void showsOnlyStatesThatHaveTheValue() throws Exception {
    hammer(
        () -> {
          for (String value : List.of("x", "y", "z")) {
            for (CachedObject<ConfigMap> object : store.byIndex("v", value)) {
              if (!Labelled.values(object).contains(value)) {
                throw new AssertionError(object + " has not the value " + value);
              }
            }
          }
          List<CachedObject<ConfigMap>> both =
              store.list(Query.ALL.withIndex("v", "y").withIndex("v", "z"));
          if (!both.isEmpty()) {
            throw new AssertionError(both + " are under two values that exclude each other");
          }
        });
  }

  /** One object has so many values that filing it takes a while. */
  @Test
  void agreesWithTheReadByKey() throws Exception {
    ObjectKey key = STATES.get(0).get(0).key();
    List<List<String>> values =
        Stream.of("even", "odd")
            .map(name -> IntStream.range(0, 200).mapToObj(i -> name + i).toList())
            .toList();
    store.addIndex(
        "many", o -> o.key().equals(key) ? values.get((int) (version(o) % 2)) : List.of());
    hammerWith(
        () ->
            random -> {
              List<String> asked = values.get(random.nextInt(2));
              String value = asked.get(random.nextInt(asked.size()));
              CachedObject<ConfigMap> before = store.get(key).orElseThrow();
              List<CachedObject<ConfigMap>> found = store.byIndex("many", value);
              CachedObject<ConfigMap> after = store.get(key).orElseThrow();
              boolean has = values.get((int) (version(before) % 2)).equals(asked);
              if (before == after && found.contains(before) != has) {
                throw new AssertionError(before + " and by index " + value + ": " + found);
              }
            });
  }

  private static long version(CachedObject<ConfigMap> object) {
    return Long.parseLong(object.resourceVersion());
  }

  /** Time never goes back, for any kind of read and in any order. */
  @Test
  void neverGoesBackInTimeFromOneWayOfReadingToAnother() throws Exception {
    List<Supplier<List<CachedObject<ConfigMap>>>> ways =
        List.of(
            () -> store.byIndex("v", "x"),
            () -> store.byIndex(Indexer.BY_NAMESPACE, "default"),
            store::list,
            () -> store.get(STATES.get(0).get(0).key()).stream().toList(),
            () -> store.list(Query.ALL.inNamespace("default").withIndex("v", "x")),
            () -> store.byIndex("v", "y"),
            () -> store.byIndex("v", "z"));
    Supplier<Consumer<Random>> readers =
        () -> {
          Map<ObjectKey, Long> seen = new HashMap<>();
          return random -> {
            for (CachedObject<ConfigMap> object : ways.get(random.nextInt(ways.size())).get()) {
              long version = version(object);
              Long before = seen.put(object.key(), version);
              if (before != null && before > version) {
                throw new AssertionError(object + " after version " + before);
              }
            }
          };
        };
    hammerWith(readers);
  }

  /** Throws if one of the stable objects is missing, or any object is there twice. */
  private static void complete(List<CachedObject<ConfigMap>> found) {
    Set<ObjectKey> keys = new TreeSet<>();
    int stableOnes = 0;
    for (CachedObject<ConfigMap> object : found) {
      if (!keys.add(object.key())) {
        throw new AssertionError(object + " is there twice");
      }
      stableOnes += object.key().name().startsWith("stable") ? 1 : 0;
    }
    if (stableOnes != STABLE) {
      throw new AssertionError("only " + keys);
    }
  }

  private void hammer(Runnable read) throws Exception {
    hammerWith(() -> random -> read.run());
  }

  /** Two readers, each repeating a read of its own, beside the writer. */
  private void hammerWith(Supplier<Consumer<Random>> readers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Long>> reads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Consumer<Random> read = readers.get();
        Random random = new Random(i);
        reads.add(
            threads.submit(
                () -> {
                  long count = 0;
                  while (!done.get() || count == 0) {
                    read.accept(random);
                    count++;
                  }
                  return count;
                }));
      }
      write(reads);
      done.set(true);
      for (Future<Long> count : reads) {
        assertThat(count.get(30, TimeUnit.SECONDS)).isPositive();
      }
    } finally {
      done.set(true);
      threads.shutdown();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void write(List<Future<Long>> readers) {
    Random random = new Random(42);
    for (int i = STABLE; i < WRITES; i++) {
      store.put(STATES.get(i % STABLE).get(i / STABLE));
      CachedObject<ConfigMap> other = TRANSIENT.get(random.nextInt(TRANSIENT.size()));
      if (random.nextBoolean()) {
        store.put(other);
      } else {
        store.remove(other.key());
      }
      if (i % 100 == 0 && readers.stream().anyMatch(Future::isDone)) {
        return; // one of them failed
      }
    }
  }
}
