// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A test of the recipe. Each of its methods that returns a {@link Conversion} is a case; {@link
 * ConversionRun} names the class.
 */
interface ConversionTest {

  /**
   * What a unit becomes.
   *
   * @param before the source on the Java Operator SDK
   * @param after the source on Windlass
   */
  record Conversion(String before, String after) {

    /** Moves the class, so that each case can have the same one. */
    Conversion in(String name) {
      return before.startsWith("package ")
          ? this
          : new Conversion(
              "package %s;\n\n%s".formatted(name, before),
              "package %s;\n\n%s".formatted(name, after));
    }
  }

  @TestFactory
  default List<DynamicTest> converts() {
    return ConversionRun.ALL.of(getClass());
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
            ControllerBuilder.forType(ConfigMap.class)
                .named("r")
                // TODO Windlass: decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers, and maxRetries(...), unlimited instead of 5, see https://windlass.dev/coming-over/java-operator-sdk/#errors-retries-and-rates
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
