// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.Result;
import org.openrewrite.SourceFile;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;

/**
 * A test of the recipe. Each of its methods that returns a {@link Conversion} is a case. All cases
 * of a class are parsed and converted in one run, because the parser reads the jars in each run.
 */
interface ConversionTest {

  /** The jars with the types in the sources. */
  String[] NAMED_IN_SOURCES = {
    "operator-framework-core",
    "kubernetes-model-core",
    "kubernetes-model-common",
    "kubernetes-client-api"
  };

  /**
   * What a unit becomes.
   *
   * @param before the source on the Java Operator SDK
   * @param after the source on Windlass
   */
  record Conversion(String before, String after) {

    /** Moves the class, so that each case can have the same one. */
    private Conversion in(String name) {
      return before.startsWith("package ")
          ? this
          : new Conversion(
              "package %s;\n\n%s".formatted(name, before),
              "package %s;\n\n%s".formatted(name, after));
    }
  }

  @TestFactory
  default Stream<DynamicTest> converts() throws ReflectiveOperationException {
    Map<String, Conversion> cases = new LinkedHashMap<>();
    for (Method method : getClass().getDeclaredMethods()) {
      if (method.getReturnType() == Conversion.class) {
        cases.put(method.getName(), ((Conversion) method.invoke(this)).in("a" + cases.size()));
      }
    }
    List<SourceFile> units = parsed(cases.values().stream().map(Conversion::before));
    Map<SourceFile, SourceFile> changed = changed(units);
    List<SourceFile> converted =
        units.stream().map(unit -> changed.getOrDefault(unit, unit)).toList();
    Map<SourceFile, SourceFile> again = changed(converted);
    List<String> names = List.copyOf(cases.keySet());
    return names.stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      SourceFile unit = converted.get(names.indexOf(name));
                      assertThat(unit.printAll()).isEqualTo(cases.get(name).after());
                      assertThat(again).as("changes of a second run").doesNotContainKey(unit);
                    }));
  }

  private static List<SourceFile> parsed(Stream<String> sources) {
    return JavaParser.fromJavaVersion()
        .classpath(NAMED_IN_SOURCES)
        .build()
        .parse(context(), sources.toArray(String[]::new))
        .toList();
  }

  /** Runs the recipe, and returns the units that it changes. */
  private static Map<SourceFile, SourceFile> changed(List<SourceFile> units) {
    Recipe recipe = new FromJavaOperatorSdk();
    return recipe
        .run(new InMemoryLargeSourceSet(units), context())
        .getChangeset()
        .getAllResults()
        .stream()
        .collect(Collectors.toMap(Result::getBefore, Result::getAfter));
  }

  private static InMemoryExecutionContext context() {
    return new InMemoryExecutionContext(
        error -> {
          throw new IllegalStateException(error);
        });
  }

  /** Checks what the statements of {@code reconcile} become, and the frame of the class. */
  default Conversion reconcile(String before, String after, String... imports) {
    String imported =
        imports.length == 0 ? "" : "import " + String.join(";\nimport ", imports) + ";\n";
    return new Conversion(
        """
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import io.javaoperatorsdk.operator.api.reconciler.*;
        import java.time.Duration;
        import java.util.concurrent.TimeUnit;

        class R implements Reconciler<ConfigMap> {
          @Override
          public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            Duration delay = Duration.ofSeconds(1);
            TimeUnit unit = TimeUnit.DAYS;
        %s
          }

          ConfigMap other(ConfigMap map) {
            return map;
          }
        }
        """
            .formatted(before.indent(4).stripTrailing()),
        """
        import dev.windlass.controller.ControllerBuilder;
        import dev.windlass.controller.enqueue.EventPredicate;
        import dev.windlass.controller.reconcile.ReconcileContext;
        import dev.windlass.controller.reconcile.Result;
        import dev.windlass.manager.Manager;
        import io.fabric8.kubernetes.api.model.ConfigMap;
        %simport java.time.Duration;
        import java.util.concurrent.TimeUnit;

        class R {
          public Result reconcile(ConfigMap map, ReconcileContext context) {
            Duration delay = Duration.ofSeconds(1);
            TimeUnit unit = TimeUnit.DAYS;
        %s
          }

          /** Registers the controller with a manager. */
          public void register(Manager manager) {
            ControllerBuilder.forType(ConfigMap.class, EventPredicate.generationChanged())
                .named("r")
                .objectReconciler(this::reconcile)
                .register(manager);
          }

          ConfigMap other(ConfigMap map) {
            return map;
          }
        }
        """
            .formatted(imported, after.indent(4).stripTrailing()));
  }
}
