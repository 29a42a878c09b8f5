// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.rewrite.ConversionTest.Conversion;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.Result;
import org.openrewrite.SourceFile;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;

/**
 * The cases of all tests, which are parsed and converted in one run, because the parser reads the
 * jars in each run.
 */
final class ConversionRun {

  /** The jars with the types in the sources. */
  private static final String[] NAMED_IN_SOURCES = {
    "operator-framework-core",
    "kubernetes-model-core",
    "kubernetes-model-common",
    "kubernetes-client-api"
  };

  /** Read at the first use. */
  static final ConversionRun ALL =
      new ConversionRun(
          new ContextRuleTest(),
          new ControlRuleTest(),
          new EventSourcesTest(),
          new LeftoverRuleTest(),
          new OperatorRuleTest(),
          new ReconcilerRuleTest());

  private final Map<Class<?>, Map<String, Conversion>> cases = new LinkedHashMap<>();
  private final Map<Conversion, SourceFile> converted = new LinkedHashMap<>();
  private final Map<SourceFile, SourceFile> changedAgain;

  private ConversionRun(ConversionTest... tests) {
    int number = 0;
    for (ConversionTest test : tests) {
      Map<String, Conversion> own = new LinkedHashMap<>();
      for (Method method : test.getClass().getDeclaredMethods()) {
        if (method.getReturnType() == Conversion.class) {
          own.put(method.getName(), conversion(test, method).in("a" + number++));
        }
      }
      cases.put(test.getClass(), own);
    }
    List<Conversion> all = cases.values().stream().flatMap(own -> own.values().stream()).toList();
    List<SourceFile> units =
        JavaParser.fromJavaVersion()
            .classpath(NAMED_IN_SOURCES)
            .build()
            .parse(context(), all.stream().map(Conversion::before).toArray(String[]::new))
            .toList();
    Map<SourceFile, SourceFile> changed = changed(units);
    for (int i = 0; i < units.size(); i++) {
      converted.put(all.get(i), changed.getOrDefault(units.get(i), units.get(i)));
    }
    changedAgain = changed(List.copyOf(converted.values()));
  }

  /** The cases of one test. */
  List<DynamicTest> of(Class<? extends ConversionTest> test) {
    Map<String, Conversion> own = cases.get(test);
    assertThat(own).as("%s in ConversionRun.ALL", test).isNotEmpty();
    return own.entrySet().stream()
        .map(it -> DynamicTest.dynamicTest(it.getKey(), () -> check(it.getValue())))
        .toList();
  }

  private void check(Conversion conversion) {
    SourceFile unit = converted.get(conversion);
    assertThat(unit.printAll()).isEqualTo(conversion.after());
    assertThat(changedAgain).as("changes of a second run").doesNotContainKey(unit);
  }

  private static Conversion conversion(ConversionTest test, Method method) {
    try {
      return (Conversion) method.invoke(test);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("can't get the case " + method, e);
    }
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
}
