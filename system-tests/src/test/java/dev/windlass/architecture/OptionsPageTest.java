// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.Setting;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code docs/operations/options.md} says of options, against the code: names and defaults.
 */
final class OptionsPageTest {

  private static final Path PAGE = Checkout.root().resolve("docs/operations/options.md");

  /** A default that only words can say; the page must have some. */
  private static final Object WORDS = new Object();

  private static final Object REQUIRED = new Object();

  /** One table of the page: its title, and the options with their defaults. */
  record Table(String title, Map<String, Object> options) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Table> tables() {
    return Stream.of(
        new Table("ManagerBuilder", ofManager()),
        new Table("ControllerBuilder", ofController()),
        new Table("InformerOptions", ofValues(InformerOptions.defaults())),
        new Table("WorkQueueOptions", ofValues(WorkQueueOptions.named("required"))),
        new Table("LeaderElectionOptions", ofValues(LeaderElectionOptions.of("required"))));
  }

  /** The methods of a builder that give it back. */
  private static Map<String, Object> fluent(
      Class<?> builder, Function<String, @Nullable Object> defaults) {
    Map<String, Object> options = new TreeMap<>();
    for (Method method : builder.getDeclaredMethods()) {
      int modifiers = method.getModifiers();
      if (Modifier.isPublic(modifiers)
          && !Modifier.isStatic(modifiers)
          && method.getReturnType() == builder) {
        Object value = defaults.apply(method.getName());
        options.put(method.getName(), value == null ? Optional.empty() : value);
      }
    }
    return options;
  }

  private static Map<String, Object> ofManager() {
    ManagerBuilder builder = Manager.builder();
    Object client = get(builder, "clientSettings");
    return fluent(
        ManagerBuilder.class,
        name ->
            switch (name) {
              case "clock", "informerOptions", "cache", "observationRegistry", "metricsText" ->
                  WORDS;
              case "transport", "namespace" -> WORDS;
              case "client" -> get(builder, "given");
              case "cacheTransform", "neverCache", "leaderElection", "shards" -> null;
              case "skipNoOpWrites" -> call(client, "skipNoOps");
              case "cacheOnFirstUse", "fieldOwner" -> call(client, name);
              case "wedgedWorkers" ->
                  shown(call(Setting.WEDGED_AFTER, "defaultValue"))
                      + ", "
                      + call(Setting.ON_WEDGED, "defaultValue");
              default -> ofSetting(name).orElseGet(() -> Optional.ofNullable(get(builder, name)));
            });
  }

  /** The default of the setting that a method of the builder sets; a text says it is none. */
  private static Optional<Object> ofSetting(String method) {
    return Stream.of(Setting.values())
        .filter(setting -> method.equals(call(setting, "method")))
        .findFirst()
        .map(setting -> Objects.requireNonNull(call(setting, "defaultValue")))
        .map(value -> value instanceof String ? Optional.empty() : value);
  }

  private static Map<String, Object> ofController() {
    Object told =
        Objects.requireNonNull(get(ControllerBuilder.forType(ConfigMap.class), "settings"));
    return fluent(
        ControllerBuilder.class,
        name ->
            switch (name) {
              case "maxConcurrentReconciles",
                  "reconcileTimeout",
                  "slowAfter",
                  "syncTimeout",
                  "minimumInterval" ->
                  get(Objects.requireNonNull(get(told, "options")), name);
              case "leaderElection" -> get(told, "group");
              case "reconciler", "objectReconciler" -> REQUIRED;
              case "named",
                  "resync",
                  "usesStatus",
                  "inNamespaces",
                  "rateLimiter",
                  "grouping",
                  "errorPolicy",
                  "onError",
                  "failOnSyncTimeout",
                  "withoutLoopDetection",
                  "workerThreads",
                  "eventRecorder",
                  "onEveryReplica",
                  "withoutWarmUp" ->
                  WORDS;
              default -> Optional.empty();
            });
  }

  /** Of options that keep their values in a record. */
  private static Map<String, Object> ofValues(Object options) {
    return ofRecord((Record) Objects.requireNonNull(get(options, "values")));
  }

  private static Map<String, Object> ofRecord(Record defaults) {
    Map<String, Object> options = new TreeMap<>();
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      Object value = call(defaults, component.getName());
      options.put(component.getName(), value == null ? WORDS : value);
    }
    return options;
  }

  private static @Nullable Object get(Object owner, String field) {
    try {
      Field found = owner.getClass().getDeclaredField(field);
      open(found);
      return found.get(owner);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a new option? " + owner.getClass() + "." + field, e);
    }
  }

  private static @Nullable Object call(@Nullable Object owner, String method) {
    try {
      Method found = Objects.requireNonNull(owner).getClass().getDeclaredMethod(method);
      open(found);
      return found.invoke(owner);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a new option? " + method, e);
    }
  }

  private static void open(AccessibleObject member) {
    member.setAccessible(true);
  }

  /** As it stands in the table; empty for what words must say. */
  private static String shown(@Nullable Object value) {
    if (value instanceof Duration duration) {
      return shown(duration);
    }
    if (value == null || Optional.empty().equals(value) || "".equals(value)) {
      return "none";
    }
    if (value == REQUIRED || "required".equals(value)) {
      return "required";
    }
    boolean scalar =
        value instanceof Boolean
            || value instanceof Integer
            || value instanceof String
            || value instanceof Enum<?>;
    return scalar ? value.toString() : "";
  }

  private static String shown(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0";
    } else if (millis % 60_000 == 0) {
      return millis / 60_000 + " min";
    }
    return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
  }

  /** The rows below a title: name, and the cells behind it. */
  private static Map<String, String[]> rows(String title) {
    Map<String, String[]> rows = new TreeMap<>();
    String section = "";
    for (String line : Checkout.lines(PAGE)) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (section.equals(title) && line.startsWith("| `")) {
        String[] cells = line.substring(2).split(" \\| ?", -1);
        assertThat(rows.put(cells[0].replace("`", ""), cells)).as(line).isNull();
      }
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachOptionHasItsRowWithItsDefaultUnitAndMeaning(Table table) {
    Map<String, String[]> rows = rows(table.title());
    assertThat(rows.keySet()).as(table.title()).isEqualTo(table.options().keySet());
    table
        .options()
        .forEach(
            (name, value) -> {
              String[] cells = Objects.requireNonNull(rows.get(name));
              assertThat(cells).as("%s: default, unit, meaning", name).hasSize(5);
              String wanted = shown(value);
              if (wanted.isEmpty()) {
                assertThat(cells[1]).as("the default of %s", name).isNotBlank();
              } else if (wanted.equals("none") || wanted.equals("0")) {
                assertThat(cells[1]).as("the default of %s", name).startsWith(wanted);
              } else {
                assertThat(cells[1]).as("the default of %s", name).isEqualTo(wanted);
              }
              assertThat(cells[2]).as("the unit of %s", name).isNotBlank();
              assertThat(cells[3]).as("the meaning of %s", name).hasSizeGreaterThan(10);
            });
  }

  @Test
  void readsDurationsAsPeopleWriteThem() {
    assertThat(
            Stream.of(0L, 5L, 2_000L, 600_000L).map(Duration::ofMillis).map(OptionsPageTest::shown))
        .containsExactly("0", "5 ms", "2 s", "10 min");
  }
}
