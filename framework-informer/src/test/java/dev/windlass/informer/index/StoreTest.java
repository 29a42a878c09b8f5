// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class StoreTest {

  private final Store<ConfigMap> store = Store.create();

  private static CachedObject<ConfigMap> labelled(String name, long version, String values) {
    return ConfigMaps.decode(
        "{\"metadata\":{\"namespace\":\"default\",\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%d\",\"labels\":{\"v\":\"%s\"}}}"
            .formatted(name, version, values));
  }

  /** The values in the label v, separated by dots. */
  private static Collection<String> values(CachedObject<ConfigMap> object) {
    String label = object.labels().getOrDefault("v", "");
    return label.isEmpty() ? List.of() : Arrays.asList(label.split("\\."));
  }

  private List<String> names(String index, String value) {
    return store.byIndex(index, value).stream().map(o -> o.key().name()).sorted().toList();
  }

  /** 002-18: usable, and empty, at once. */
  @Test
  void isEmptyAtFirst() {
    assertThat(store.list()).isEmpty();
    assertThat(store.keys()).isEmpty();
    assertThat(store.size()).isZero();
    assertThat(store.get(key("a"))).isEmpty();
    assertThat(store.remove(key("a"))).isEmpty();
    assertThat(store.byIndex(Indexer.BY_NAMESPACE, "default")).isEmpty();
  }

  @Test
  void holdsOneStatePerKeyAndReturnsTheOneBefore() {
    CachedObject<ConfigMap> first = state("a", 1);
    CachedObject<ConfigMap> second = state("a", 2);
    assertThat(store.put(first)).isEmpty();
    assertThat(store.put(second)).contains(first);
    assertThat(store.get(key("a"))).contains(second);
    assertThat(store.list()).containsExactly(second);
    assertThat(store.keys()).containsExactly(key("a"));
    assertThat(store.remove(key("a"))).contains(second);
    assertThat(store.size()).isZero();
  }

  /** 001-32: every store has an index by namespace. */
  @Test
  void findsObjectsByNamespace() {
    store.put(state("a", 1));
    store.put(ConfigMaps.decode("{\"metadata\":{\"namespace\":\"other\",\"name\":\"b\"}}"));
    store.put(ConfigMaps.decode("{\"metadata\":{\"name\":\"c\"}}"));
    assertThat(names(Indexer.BY_NAMESPACE, "default")).containsExactly("a");
    assertThat(names(Indexer.BY_NAMESPACE, "other")).containsExactly("b");
    assertThat(names(Indexer.BY_NAMESPACE, "")).containsExactly("c");
  }

  /** go-anchors 27: none, one or many values, through updates and deletions. */
  @Test
  void findsObjectsUnderEachOfTheirValues() {
    store.addIndex("v", StoreTest::values);
    store.put(labelled("a", 1, "x.y"));
    store.put(labelled("b", 2, "y"));
    store.put(labelled("c", 3, ""));
    assertThat(names("v", "x")).containsExactly("a");
    assertThat(names("v", "y")).containsExactly("a", "b");
    store.put(labelled("a", 4, "y.z.z"));
    assertThat(names("v", "x")).isEmpty();
    assertThat(names("v", "y")).containsExactly("a", "b");
    assertThat(names("v", "z")).containsExactly("a");
    store.remove(key("a"));
    store.put(labelled("b", 5, ""));
    assertThat(names("v", "y")).isEmpty();
    assertThat(names("v", "z")).isEmpty();
  }

  /** go-anchors 28. */
  @Test
  void completesAnIndexThatIsAddedLater() {
    store.put(labelled("a", 1, "x"));
    store.addIndex("v", StoreTest::values);
    assertThat(names("v", "x")).containsExactly("a");
    store.put(labelled("b", 1, "x"));
    assertThat(names("v", "x")).containsExactly("a", "b");
  }

  @Test
  void refusesIndicesThatDoNotExistOrExistAlready() {
    assertThatThrownBy(() -> store.byIndex("v", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'v'")
        .hasMessageContaining(Indexer.BY_NAMESPACE);
    store.addIndex("v", StoreTest::values);
    store.put(labelled("a", 1, "x"));
    assertThatThrownBy(() -> store.addIndex("v", object -> List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(names("v", "x")).as("the first one stays").containsExactly("a");
  }

  /** go-anchors 29, P6: a failing function costs its own index entries and nothing else. */
  @Test
  void survivesIndexFunctionsThatFail() {
    store.addIndex(
        "broken",
        object -> {
          switch (object.key().name()) {
            case "exception" -> throw new IllegalStateException("test");
            case "overflow" -> throw new StackOverflowError("test");
            case "assertion" -> throw new AssertionError("test");
            case "linkage" -> throw new NoClassDefFoundError("test");
            case "null" -> {
              return nothing();
            }
            case "null value" -> {
              return Arrays.asList("x", nothing());
            }
            default -> {
              return List.of("x");
            }
          }
        });
    store.addIndex("v", object -> List.of("x"));
    for (String name :
        List.of("exception", "overflow", "assertion", "linkage", "null", "null value", "good")) {
      store.put(state(name, 1));
      store.put(state(name, 2));
    }
    assertThat(names("broken", "x")).containsExactly("good");
    assertThat(names("v", "x")).hasSize(7);
    assertThat(store.size()).isEqualTo(7);
    for (ObjectKey key : store.keys()) {
      store.remove(key);
    }
    assertThat(names("v", "x")).isEmpty();
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @Test
  void handsOutCopies() {
    store.put(state("a", 1));
    store.list().clear();
    store.byIndex(Indexer.BY_NAMESPACE, "default").clear();
    Set<ObjectKey> keys = store.keys();
    store.put(state("b", 1));
    assertThat(keys).hasSize(1);
    assertThat(store.size()).isEqualTo(2);
    assertThat(names(Indexer.BY_NAMESPACE, "default")).hasSize(2);
  }

  /** 001-68, 001-87: typed reads, each of them the caller's own. */
  @Test
  void isReadThroughAListerThatDecodesAfresh() {
    Lister<ConfigMap> lister = new Lister<>(store);
    store.put(state("a", 1));
    store.put(
        ConfigMaps.decode("{\"metadata\":{\"namespace\":\"n\",\"name\":\"bad\"},\"data\":5}"));
    ConfigMap mine = lister.get(key("a")).orElseThrow();
    mine.getData().clear();
    assertThat(lister.get(key("a")).orElseThrow().getData()).containsEntry("v", "1");
    assertThat(lister.list("default")).hasSize(1);
    assertThat(lister.list(object -> object.key().name().equals("a"))).hasSize(1);
    assertThat(lister.get(key("none"))).isEmpty();
    assertThatThrownBy(lister::list).isInstanceOf(UndecodableException.class);
  }

  /** Random operations beside maps that are rebuilt from scratch at each look. */
  @Property(tries = 100)
  void holdsWhatTheModelHolds(@ForAll long seed) {
    Random random = new Random(seed);
    Store<ConfigMap> tested = Store.create();
    tested.addIndex("v", StoreTest::values);
    Map<ObjectKey, CachedObject<ConfigMap>> model = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      String name = "o" + random.nextInt(8);
      if (random.nextInt(4) == 0) {
        assertThat(tested.remove(key(name)).orElse(null)).isSameAs(model.remove(key(name)));
      } else {
        List<String> values = new ArrayList<>(List.of("x", "y", "z"));
        values.removeIf(v -> random.nextBoolean());
        CachedObject<ConfigMap> object = labelled(name, i, String.join(".", values));
        assertThat(tested.put(object).orElse(null)).isSameAs(model.put(object.key(), object));
      }
      assertThat(new HashSet<>(tested.list()))
          .as("seed %d, operation %d", seed, i)
          .isEqualTo(new HashSet<>(model.values()));
      for (String value : List.of("x", "y", "z")) {
        assertThat(tested.byIndex("v", value))
            .as("seed %d, operation %d, value %s", seed, i, value)
            .containsExactlyInAnyOrderElementsOf(
                model.values().stream().filter(o -> values(o).contains(value)).toList());
      }
    }
  }

  /** fabric8 #7265: an object that is being updated never vanishes from a read. */
  @Test
  @Timeout(60)
  void showsAnObjectAtAllTimesWhileItIsUpdated() throws Exception {
    store.addIndex("v", StoreTest::values);
    List<CachedObject<ConfigMap>> states =
        List.of(labelled("a", 1, "x.y"), labelled("a", 2, "x"), labelled("a", 3, "z.x"));
    store.put(states.get(0));
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean missing = new AtomicBoolean();
    CompletableFuture<Long> reader = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              long reads = 0;
              while (!done.get() || reads == 0) {
                if (store.get(key("a")).isEmpty()
                    || store.list().isEmpty()
                    || store.size() != 1
                    || !store.keys().contains(key("a"))
                    || store.byIndex("v", "x").size() != 1
                    || store.byIndex(Indexer.BY_NAMESPACE, "default").size() != 1) {
                  missing.set(true);
                  break;
                }
                reads++;
              }
              reader.complete(reads);
            });
    thread.start();
    for (int i = 0; i < 30_000 && !missing.get(); i++) {
      store.put(states.get(i % 3));
    }
    done.set(true);
    assertThat(reader.get(30, TimeUnit.SECONDS)).isPositive();
    thread.join();
    assertThat(missing).isFalse();
  }
}
