// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** Tests {@link OperatorRule}, {@link OperatorBlock} and {@link ManagerOptions}. */
final class OperatorRuleTest implements ConversionTest {

  Conversion convertsAProgramWithoutOptions() {
    return new Conversion(
        """
        import io.javaoperatorsdk.operator.Operator;
        import io.javaoperatorsdk.operator.api.reconciler.Reconciler;

        class Program {
          static Reconciler<?> reconciler;

          public static void main(String[] args) {
            Operator operator = new Operator();
            operator.register(reconciler);
            operator.start();
          }
        }
        """,
        """
        import dev.windlass.manager.Manager;
        import io.javaoperatorsdk.operator.api.reconciler.Reconciler;

        class Program {
          // TODO Windlass: convert Reconciler, see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
          static Reconciler<?> reconciler;

          public static void main(String[] args) {
            try (Manager manager = Manager.builder().build()) {
              reconciler.register(manager);
              System.exit(manager.run() ? 0 : 1);
            }
          }
        }
        """);
  }

  Conversion namesTheOptionsWithoutACounterpart() {
    return new Conversion(
        """
        import io.fabric8.kubernetes.client.KubernetesClient;
        import io.javaoperatorsdk.operator.Operator;

        class Program {
          void run(KubernetesClient client) {
            Operator operator =
                new Operator(o -> o.withKubernetesClient(client).withCloseClientOnStop(true));
            operator.start();
          }
        }
        """,
        """
        import dev.windlass.manager.Manager;
        import io.fabric8.kubernetes.client.KubernetesClient;

        class Program {
          void run(KubernetesClient client) {
            try (Manager manager =
                Manager.builder()
                    .client(client)
                    // TODO Windlass: convert withCloseClientOnStop(true), see https://windlass.dev/coming-over/java-operator-sdk/#the-operator
                    .build()) {
              // TODO Windlass: run() returns only after the program has been stopped, see https://windlass.dev/coming-over/java-operator-sdk/#the-operator
              manager.run();
            }
          }
        }
        """);
  }
}
