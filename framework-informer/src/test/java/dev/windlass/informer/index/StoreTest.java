// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class StoreTest {

  private final Store<ConfigMap> store = Store.create();

  private List<String> names(String index, String value) {
    return store.byIndex(index, value).stream().map(o -> o.key().name()).sorted().toList();
  }

  /** Usable, and empty, at once. */
  @Test
  void isEmptyAtFirst() {
    assertThat(store.list()).isEmpty();
    assertThat(store.keys()).isEmpty();
    assertThat(store.size()).isZero();
    assertThat(store.get(key("a"))).isEmpty();
    assertThat(store.remove(key("a"))).isEmpty();
    assertThat(store.byIndex(Indexer.BY_NAMESPACE, "default")).isEmpty();
  }

  /** None, one or many values, through updates and deletions. */
  @Test
  void findsObjectsUnderEachOfTheirValues() {
    String anyName = ".metadata.ownerReference.controller"; // no path of a field
    store.addIndex(anyName, Labelled::values);
    store.put(Labelled.object("a", 1, "x.y"));
    store.put(Labelled.object("b", 2, "y"));
    store.put(Labelled.object("c", 3, ""));
    assertThat(names(anyName, "x")).containsExactly("a");
    assertThat(names(anyName, "y")).containsExactly("a", "b");
    store.put(Labelled.object("a", 4, "y.z.z"));
    assertThat(names(anyName, "x")).isEmpty();
    assertThat(names(anyName, "y")).containsExactly("a", "b");
    assertThat(names(anyName, "z")).containsExactly("a");
    store.remove(key("a"));
    store.put(Labelled.object("b", 5, ""));
    assertThat(names(anyName, "y")).isEmpty();
    assertThat(names(anyName, "z")).isEmpty();
  }

  @Test
  void completesAnIndexThatIsAddedLater() {
    store.put(Labelled.object("a", 1, "x"));
    store.addIndex("v", Labelled::values);
    assertThat(names("v", "x")).containsExactly("a");
    store.put(Labelled.object("b", 1, "x"));
    assertThat(names("v", "x")).containsExactly("a", "b");
  }

  @Test
  void refusesIndicesThatDoNotExistOrExistAlready() {
    assertThatThrownBy(() -> store.byIndex("v", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'v'")
        .hasMessageContaining(Indexer.BY_NAMESPACE);
    store.addIndex("v", Labelled::values);
    store.put(Labelled.object("a", 1, "x"));
    for (String taken : List.of("v", Indexer.BY_NAMESPACE)) {
      assertThatThrownBy(() -> store.addIndex(taken, object -> List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + taken + "'");
    }
    assertThat(names("v", "x")).as("the first one stays").containsExactly("a");
  }

  /** Who shares an informer need not know who else indexes it in the same way. */
  @Test
  void takesTheSameFunctionUnderTheSameNameAgain() {
    IndexFunction<ConfigMap> function = Labelled::values;
    store.put(Labelled.object("a", 1, "x"));
    store.addIndex("v", function);
    store.addIndex("v", function);
    assertThat(names("v", "x")).containsExactly("a");
    assertThatThrownBy(() -> store.addIndex("v", Labelled::values))
        .as("another one, though it says the same")
        .hasMessage("the index 'v' already exists");
  }

  /** The second of two who add it must not read it half made. */
  @Test
  void isCompleteWhenAddIndexReturns() {
    store.put(Labelled.object("a", 1, "x"));
    List<String> found = new ArrayList<>();
    IndexFunction<ConfigMap> function =
        new IndexFunction<>() {
          private boolean nested;

          @Override
          public Collection<String> valuesOf(CachedObject<ConfigMap> object) {
            if (!nested) {
              nested = true;
              store.addIndex("v", this); // in the middle of the first call, as a thread may be
              found.addAll(names("v", "x"));
            }
            return Labelled.values(object);
          }
        };
    store.addIndex("v", function);
    assertThat(found).containsExactly("a");
  }

  /** In client-go, it panics and ends the process. */
  @Test
  void survivesIndexFunctionsThatFail() {
    store.addIndex("broken", StoreTest::failing);
    store.addIndex("v", object -> List.of("x"));
    List<String> names =
        List.of("exception", "overflow", "assertion", "linkage", "null", "null value");
    for (String name : names) {
      store.put(state(name, 1));
      store.put(state(name, 2));
    }
    store.put(state("good", 1));
    assertThat(names("broken", "x")).containsExactly("good");
    assertThat(names("v", "x")).hasSize(7);
    assertThat(store.list(Query.ALL.withIndex("v", "x").withIndex("broken", "x"))).hasSize(1);
    assertThat(store.size()).isEqualTo(7);
    assertThat(store.indexFailures()).isEqualTo(2L * names.size());
    store.addIndex("broken, too", StoreTest::failing);
    assertThat(store.indexFailures()).isEqualTo(3L * names.size());
    for (ObjectKey key : store.keys()) {
      store.remove(key);
    }
    assertThat(names("v", "x")).isEmpty();
  }

  private static List<String> failing(CachedObject<ConfigMap> object) {
    return switch (object.key().name()) {
      case "exception" -> throw new IllegalStateException("a secret");
      case "overflow" -> throw new StackOverflowError("a secret");
      case "assertion" -> throw new AssertionError("a secret");
      case "linkage" -> throw new NoClassDefFoundError("a secret");
      case "null" -> nothing();
      case "null value" -> Arrays.asList("x", nothing());
      default -> List.of("x");
    };
  }

  /** The exception of the function may quote the object. */
  @Test
  void warnsOncePerIndexAndNeverOfTheContent() {
    Logs log = Logs.of(Indexer.class);
    try (log) {
      store.addIndex("one", StoreTest::failing);
      store.addIndex("two", StoreTest::failing);
      store.put(state("exception", 1));
      store.put(state("exception", 2));
    }
    assertThat(log.events())
        .extracting(
            event -> event.getLevel() + " " + event.getFormattedMessage().replaceAll(":.*", ""))
        .containsExactly(
            "WARN The function of the index 'one' failed on ConfigMap default/exception (version 1)",
            "WARN The function of the index 'two' failed on ConfigMap default/exception (version 1)",
            "DEBUG The function of the index 'one' failed on ConfigMap default/exception (version 2)",
            "DEBUG The function of the index 'two' failed on ConfigMap default/exception (version 2)");
    assertThat(log.events())
        .allSatisfy(
            event -> {
              String thrown = ThrowableProxyUtil.asString(event.getThrowableProxy());
              assertThat(thrown).contains("java.lang.IllegalStateException", "failing");
              assertThat(event.getFormattedMessage() + thrown).doesNotContain("secret");
            });
  }

  /** One line says what failed on what, what follows from it, and what to do. */
  @Test
  void saysWhatAFunctionDidAndWhatItMustDo() {
    assertThat(
            Logs.during(
                Indexer.class,
                () -> {
                  store.addIndex("failing", StoreTest::failing);
                  store.addIndex("null", object -> nothing());
                  store.addIndex("element", object -> Arrays.asList("x", nothing()));
                  store.put(state("exception", 1));
                }))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "WARN The function of the index 'failing' failed on ConfigMap"
                            + " default/exception (version 1): it threw"
                            + " java.lang.IllegalStateException at "
                            + StoreTest.class.getName()
                            + ".failing(StoreTest.java:")
                    .contains(
                        "). Lookups in this index do not find the object, unless",
                        "Correct the function: for an object without a value, it must return an"
                            + " empty list."),
            line -> assertThat(line).contains("(version 1): it returned null. Lookups"),
            line -> assertThat(line).contains("(version 1): it returned a null value. Lookups"));
  }

  /** What a function says the second time is not relied upon. */
  @Test
  void losesTrackOfNothingWhenAFunctionIsImpure() {
    int[] calls = {0};
    store.addIndex("v", object -> List.of("value " + calls[0]++));
    store.put(state("a", 1));
    store.put(state("a", 2));
    assertThat(calls[0]).as("calls: one per state").isEqualTo(2);
    assertThat(store.indexValues("v")).containsExactly("value 1");
    store.remove(key("a"));
    assertThat(calls[0]).isEqualTo(2);
    assertThat(store.indexValues("v")).isEmpty();
  }

  /** No lock is held while a function runs, so it may read, and even wait for one who writes. */
  @Test
  @Timeout(60)
  void holdsNoLockWhileAFunctionRuns() {
    store.put(state("a", 1));
    store.addIndex(
        "v",
        object -> {
          if (object.key().name().equals("a")) {
            CompletableFuture.runAsync(() -> store.put(state("b", 1))).join();
            CompletableFuture.runAsync(() -> store.addIndex("w", o -> List.of("x"))).join();
            assertThat(store.size()).isEqualTo(2);
            assertThatThrownBy(() -> store.byIndex("v", "x"))
                .as("not to be read yet")
                .isInstanceOf(IllegalArgumentException.class);
          }
          return List.of("x");
        });
    assertThat(store.indexFailures()).isZero();
    assertThat(names("v", "x")).containsExactly("a", "b");
    assertThat(names("w", "x")).containsExactly("a", "b");
  }

  /** What is put, changed or removed while an index is being added is in that index as it is. */
  @Test
  void completesAnIndexUnderWhichObjectsChange() {
    for (String name : List.of("changed", "removed", "recreated", "kept")) {
      store.put(Labelled.object(name, 1, "old"));
    }
    boolean[] done = {false};
    store.addIndex(
        "v",
        object -> {
          if (!done[0]) {
            done[0] = true;
            store.put(Labelled.object("changed", 2, "new"));
            store.remove(key("removed"));
            store.remove(key("recreated"));
            store.put(Labelled.object("recreated", 2, "new"));
            store.put(Labelled.object("added", 1, "new"));
          }
          return Labelled.values(object);
        });
    assertThat(names("v", "old")).containsExactly("kept");
    assertThat(names("v", "new")).containsExactly("added", "changed", "recreated");
    for (ObjectKey key : store.keys()) {
      store.remove(key);
    }
    assertThat(store.indexValues("v")).isEmpty();
  }

  /** An index that is added between the asking of the functions and the write misses nothing. */
  @Test
  void filesWhatIsPutWhileAnIndexIsAdded() {
    boolean[] done = {false};
    store.addIndex(
        "v",
        object -> {
          if (!done[0]) {
            done[0] = true;
            store.addIndex("w", Labelled::values);
          }
          return Labelled.values(object);
        });
    store.put(Labelled.object("a", 1, "x"));
    assertThat(names("v", "x")).containsExactly("a");
    assertThat(names("w", "x")).containsExactly("a");
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
}
