// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** Tests {@link ReconcilerRule}, {@link Registration} and {@link ControllerAnnotation}. */
final class ReconcilerRuleTest implements ConversionTest {

  Conversion convertsEachSettingOfTheAnnotation() {
    return new Conversion(
        """
        import io.fabric8.kubernetes.api.model.Pod;
        import io.javaoperatorsdk.operator.api.config.informer.Informer;
        import io.javaoperatorsdk.operator.api.reconciler.*;

        @ControllerConfiguration(
            name = "pods",
            fieldManager = "me",
            maxReconciliationInterval = @MaxReconciliationInterval(interval = 2),
            informer = @Informer(namespaces = "a", labelSelector = "x=y", informerListLimit = 5))
        class R implements Reconciler<Pod>, Cleaner<Pod>, AutoCloseable {
          @Override
          public void close() {}

          @Override
          public UpdateControl<Pod> reconcile(Pod pod, Context<Pod> context) {
            return UpdateControl.noUpdate();
          }

          @Override
          public DeleteControl cleanup(Pod pod, Context<Pod> context) {
            return DeleteControl.noFinalizerRemoval();
          }
        }
        """,
        """
        import dev.windlass.controller.ControllerBuilder;
        import dev.windlass.controller.enqueue.EventPredicate;
        import dev.windlass.controller.reconcile.ReconcileContext;
        import dev.windlass.controller.reconcile.Result;
        import dev.windlass.informer.InformerSpec;
        import dev.windlass.informer.reflector.WatchScope;
        import dev.windlass.manager.Manager;
        import io.fabric8.kubernetes.api.model.HasMetadata;
        import io.fabric8.kubernetes.api.model.Pod;
        import java.time.Duration;

        class R implements AutoCloseable {
          @Override
          public void close() {}

          public Result reconcile(Pod pod, ReconcileContext context) {
            return Result.done();
          }

          /** Registers the controller with a manager. */
          public void register(Manager manager) {
            ControllerBuilder.forType(
                    InformerSpec.of(Pod.class).in(WatchScope.ALL.withLabels("x=y")),
                    EventPredicate.generationChanged())
                // TODO Windlass: convert fieldManager = "me", see https://windlass.dev/coming-over/java-operator-sdk/#keeping-the-names
                // TODO Windlass: convert informerListLimit = 5, see https://windlass.dev/coming-over/java-operator-sdk/#event-sources
                .named("pods")
                .inNamespaces("a")
                .resync(Duration.ofHours(2))
                .finalizer(HasMetadata.getFullResourceName(Pod.class) + "/finalizer", this::cleanup)
                // TODO Windlass: decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers, and maxRetries(...), unlimited instead of 5, see https://windlass.dev/coming-over/java-operator-sdk/#errors-retries-and-rates
                .objectReconciler(this::reconcile)
                .register(manager);
          }

          public Result cleanup(Pod pod, ReconcileContext context) {
            return Result.requeueAfter(Duration.ofHours(2));
          }
        }
        """);
  }

  Conversion convertsTheHandlerOfErrors() {
    return new Conversion(
        """
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import io.javaoperatorsdk.operator.api.reconciler.*;
        import java.time.Duration;

        @ControllerConfiguration(
            maxReconciliationInterval = @MaxReconciliationInterval(interval = -1))
        class R implements Reconciler<ConfigMap> {
          @Override
          public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            return UpdateControl.noUpdate();
          }

          @Override
          public ErrorStatusUpdateControl<ConfigMap> updateErrorStatus(
              ConfigMap map, Context<ConfigMap> context, Exception error) {
            if (map.getKind() == null) {
              return ErrorStatusUpdateControl.<ConfigMap>noStatusUpdate().withNoRetry();
            }
            if (map.getData() == null) {
              return ErrorStatusUpdateControl.patchStatus(map)
                  .rescheduleAfter(Duration.ofSeconds(1));
            }
            return ErrorStatusUpdateControl.patchStatus(map);
          }
        }
        """,
        """
        import dev.windlass.controller.ControllerBuilder;
        import dev.windlass.controller.reconcile.ReconcileContext;
        import dev.windlass.controller.reconcile.Result;
        import dev.windlass.controller.reconcile.TerminalException;
        import dev.windlass.manager.Manager;
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import java.time.Duration;

        class R {
          public Result reconcile(ConfigMap map, ReconcileContext context) {
            return Result.done();
          }

          /** Registers the controller with a manager. */
          public void register(Manager manager) {
            ControllerBuilder.forType(ConfigMap.class)
                .named("r")
                .resync(Duration.ZERO)
                .onError(this::updateErrorStatus)
                // TODO Windlass: decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers, and maxRetries(...), unlimited instead of 5, see https://windlass.dev/coming-over/java-operator-sdk/#errors-retries-and-rates
                .objectReconciler(this::reconcile)
                .register(manager);
          }

          public Result updateErrorStatus(
              ConfigMap map, Exception error, ReconcileContext context) throws Exception {
            if (map.getKind() == null) {
              throw new TerminalException(error.getMessage(), error);
            }
            if (map.getData() == null) {
              context.client().updateStatus(map);
              return Result.requeueAfter(Duration.ofSeconds(1));
            }
            context.client().updateStatus(map);
            throw error;
          }
        }
        """);
  }
}
