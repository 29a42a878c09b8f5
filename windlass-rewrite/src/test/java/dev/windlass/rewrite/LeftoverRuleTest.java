// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** Tests {@link LeftoverRule}, {@link SdkSubclassRule} and {@link Imports}. */
final class LeftoverRuleTest implements ConversionTest {

  private static final String DEPENDENT =
      """
      import io.fabric8.kubernetes.api.model.ConfigMap;
      import io.fabric8.kubernetes.api.model.Secret;
      import io.javaoperatorsdk.operator.api.reconciler.Context;
      import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

      %sclass Dependent extends CRUDKubernetesDependentResource<Secret, ConfigMap> {
        @Override
        protected Secret desired(ConfigMap map, Context<ConfigMap> context) {
          return new Secret();
        }
      }
      """;

  private static final String TODO =
      "// TODO Windlass: convert Dependent, a CRUDKubernetesDependentResource<Secret, ConfigMap>,"
          + " see https://windlass.dev/coming-over/java-operator-sdk/"
          + "#dependent-resources-and-workflows\n";

  Conversion keepsADependentResource() {
    return new Conversion(DEPENDENT.formatted(""), DEPENDENT.formatted(TODO));
  }

  Conversion changesNothingInASecondRun() {
    return new Conversion(DEPENDENT.formatted(TODO), DEPENDENT.formatted(TODO));
  }

  Conversion keepsTheCommentsBetweenImports() {
    return new Conversion(
        """
        package a;

        import io.javaoperatorsdk.operator.api.reconciler.Context;
        // the model
        import io.fabric8.kubernetes.api.model.ConfigMap;

        class Steps {
          void step(ConfigMap map, Context<ConfigMap> context) {}
        }
        """,
        """
        package a;

        // the model
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import dev.windlass.controller.reconcile.ReconcileContext;

        class Steps {
          void step(ConfigMap map, ReconcileContext context) {}
        }
        """);
  }

  Conversion usesTheFullNameWhereTheUnitHasATypeOfTheSameName() {
    return new Conversion(
        """
        import io.javaoperatorsdk.operator.api.reconciler.Context;
        import io.fabric8.kubernetes.api.model.ConfigMap;

        class Steps {
          class ReconcileContext {}

          void step(ConfigMap map, Context<ConfigMap> context) {}
        }
        """,
        """
        import io.fabric8.kubernetes.api.model.ConfigMap;

        class Steps {
          class ReconcileContext {}

          void step(ConfigMap map, dev.windlass.controller.reconcile.ReconcileContext context) {}
        }
        """);
  }
}
