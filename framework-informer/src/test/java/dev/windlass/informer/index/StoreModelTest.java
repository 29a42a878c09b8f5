// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.selector.Selector;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random operations beside a map of what there is, which is searched from scratch at each look. */
final class StoreModelTest {

  private static final Selector LABELS = Selector.parse("v in (x,x.y,x.y.z)");

  private static final List<String> VALUES = List.of("x", "y", "z");

  private final Map<ObjectKey, CachedObject<ConfigMap>> model = new HashMap<>();
  private final Store<ConfigMap> store = Store.create();
  private int failures;

  /** A few objects, over and over. */
  @Property(tries = 50)
  void holdsWhatTheModelHolds(@ForAll long seed) {
    run(new StoreModelTest(), seed, 200, 8, 2);
  }

  /** Many objects, so that tables grow and shrink. */
  @Property(tries = 5)
  void holdsWhatTheModelHoldsAtSize(@ForAll long seed) {
    run(new StoreModelTest(), seed, 4_000, 500, 500);
  }

  private static void run(StoreModelTest test, long seed, int operations, int names, int looks) {
    Random random = new Random(seed);
    boolean isAddedLater = random.nextBoolean();
    if (!isAddedLater) {
      test.store.addIndex("v", StoreModelTest::values);
    }
    for (int i = 0; i < operations; i++) {
      if (isAddedLater && i == operations / 3) {
        test.store.addIndex("v", StoreModelTest::values);
        test.failures += (int) test.model.values().stream().filter(o -> fails(o)).count();
      }
      // The first third fills, the second changes, the last one empties.
      int deletions = i < operations / 3 ? 1 : i < operations * 2 / 3 ? 4 : 7;
      boolean isIndexed = !isAddedLater || i >= operations / 3;
      test.change(random, i, names, random.nextInt(8) < deletions, isIndexed);
      if (i % looks == 0 || i == operations - 1) {
        test.look("seed %d, operation %d".formatted(seed, i), isIndexed);
      }
    }
  }

  private void change(
      Random random, int version, int names, boolean isDeletion, boolean isIndexed) {
    ObjectKey key = ObjectKey.of("n" + random.nextInt(2), "o" + random.nextInt(names));
    if (isDeletion) {
      assertThat(store.remove(key).orElse(null)).isSameAs(model.remove(key));
      return;
    }
    List<String> values = new ArrayList<>(VALUES);
    values.removeIf(value -> random.nextBoolean());
    String label = random.nextInt(10) == 0 ? "fail" : String.join(".", values);
    CachedObject<ConfigMap> object = Labelled.object(key.namespace(), key.name(), version, label);
    failures += isIndexed && fails(object) ? 1 : 0;
    assertThat(store.put(object).orElse(null)).isSameAs(model.put(key, object));
  }

  private static boolean fails(CachedObject<ConfigMap> object) {
    return Labelled.values(object).contains("fail");
  }

  private static List<String> values(CachedObject<ConfigMap> object) {
    if (fails(object)) {
      throw new IllegalStateException("test");
    }
    return List.copyOf(Labelled.values(object));
  }

  private void look(String when, boolean isIndexed) {
    check(when, store.list(), object -> true);
    assertThat(store.keys()).as(when).isEqualTo(model.keySet());
    assertThat(store.size()).as(when).isEqualTo(model.size());
    assertThat(store.bytes())
        .as(when)
        .isEqualTo(model.values().stream().mapToLong(CachedObject::sizeInBytes).sum());
    Predicate<CachedObject<ConfigMap>> byLabels = object -> LABELS.matches(object.labels());
    check(when, store.list(Query.ALL.withLabels(LABELS)), byLabels);
    assertThat(store.indexFailures()).as(when).isEqualTo(failures);
    for (String namespace : List.of("n0", "n1", "n2")) {
      Query query = Query.ALL.inNamespace(namespace);
      Predicate<CachedObject<ConfigMap>> inIt = o -> o.key().namespace().equals(namespace);
      check(when, store.list(query), inIt);
      check(when, store.list(query.withLabels(LABELS)), inIt.and(byLabels));
      for (String value : isIndexed ? VALUES : List.<String>of()) {
        Predicate<CachedObject<ConfigMap>> has = o -> Labelled.values(o).contains(value);
        check(when, store.list(query.withIndex("v", value)), inIt.and(has));
        check(when, store.byIndex("v", value), has);
        check(
            when,
            store.list(query.withIndex("v", value).withIndex("v", "x")),
            inIt.and(has).and(o -> Labelled.values(o).contains("x")));
      }
    }
    if (isIndexed) {
      assertThat(store.indexValues("v"))
          .as(when)
          .isEqualTo(
              model.values().stream()
                  .filter(object -> !fails(object))
                  .flatMap(object -> Labelled.values(object).stream())
                  .collect(Collectors.toSet()));
    }
    assertThat(model.values()).as(when).allMatch(o -> store.get(o.key()).orElse(null) == o);
  }

  private void check(
      String when,
      List<CachedObject<ConfigMap>> found,
      Predicate<CachedObject<ConfigMap>> condition) {
    assertThat(new HashSet<>(found))
        .as(when)
        .isEqualTo(model.values().stream().filter(condition).collect(Collectors.toSet()))
        .as("%s: nothing twice", when)
        .hasSameSizeAs(found);
  }
}
