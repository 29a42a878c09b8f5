// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import static org.openrewrite.java.Assertions.java;

import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.TypeValidation;

/** A test of the recipe on pairs of sources, whose types before the conversion are known. */
interface ConversionTest extends RewriteTest {

  /** The jars with the types in the sources. The parser opens each of them for each test. */
  String[] NAMED_IN_SOURCES = {
    "operator-framework-core",
    "kubernetes-model-core",
    "kubernetes-model-common",
    "kubernetes-client-api"
  };

  @Override
  default void defaults(RecipeSpec spec) {
    spec.recipe(new FromJavaOperatorSdk())
        .parser(JavaParser.fromJavaVersion().classpath(NAMED_IN_SOURCES))
        .afterTypeValidationOptions(TypeValidation.none());
  }

  /** Checks what a unit becomes. */
  default void converts(String before, String after) {
    rewriteRun(java(before, after));
  }

  /**
   * Checks what the statements of {@code reconcile} become; the frame of the class is checked too.
   */
  default void convertsReconcile(String before, String after, String... imports) {
    String imported =
        imports.length == 0 ? "" : "import " + String.join(";\nimport ", imports) + ";\n";
    converts(
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
