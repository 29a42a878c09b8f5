// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** Tests {@link EventSources}, {@link InformerSource} and {@link ResourceIdRule}. */
final class EventSourcesTest implements ConversionTest {

  Conversion convertsMappersInBothDirections() {
    return new Conversion(
        """
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import io.fabric8.kubernetes.api.model.Secret;
        import io.fabric8.kubernetes.api.model.Service;
        import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
        import io.javaoperatorsdk.operator.api.reconciler.*;
        import io.javaoperatorsdk.operator.processing.event.ResourceID;
        import io.javaoperatorsdk.operator.processing.event.source.EventSource;
        import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
        import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
        import java.util.List;
        import java.util.Set;

        class R implements Reconciler<ConfigMap> {
          @Override
          public List<EventSource<?, ConfigMap>> prepareEventSources(
              EventSourceContext<ConfigMap> context) {
            return List.of(
                new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(Secret.class, ConfigMap.class)
                        .withSecondaryToPrimaryMapper(
                            it -> Set.of(ResourceID.fromResource(it)))
                        .withWatchAllNamespaces()
                        .build(),
                    context),
                new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(Service.class, ConfigMap.class)
                        .withPrimaryToSecondaryMapper(
                            (ConfigMap map) -> Set.of(new ResourceID("a", map.getKind())))
                        .withSecondaryToPrimaryMapper(it -> Set.of())
                        .build(),
                    context),
                new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(Secret.class, ConfigMap.class)
                        .withSecondaryToPrimaryMapper(Mappers.fromLabel("a", "b", ConfigMap.class))
                        .build(),
                    context),
                new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(Secret.class, ConfigMap.class).build(),
                    context));
          }

          @Override
          public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            context.getSecondaryResources(Secret.class).size();
            return UpdateControl.noUpdate();
          }
        }
        """,
        """
        import dev.windlass.controller.ControllerBuilder;
        import dev.windlass.controller.enqueue.EventHandler;
        import dev.windlass.controller.reconcile.ReconcileContext;
        import dev.windlass.controller.reconcile.Request;
        import dev.windlass.controller.reconcile.Result;
        import dev.windlass.manager.Manager;
        import dev.windlass.object.ObjectKey;
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import io.fabric8.kubernetes.api.model.Secret;
        import io.fabric8.kubernetes.api.model.Service;
        import java.util.Set;

        class R {
          /** Registers the controller with a manager. */
          public void register(Manager manager) {
            ControllerBuilder.forType(ConfigMap.class)
                .named("r")
                // TODO Windlass: convert withWatchAllNamespaces() of Secret.class, see https://windlass.dev/coming-over/java-operator-sdk/#event-sources
                .watches(
                    Secret.class,
                    EventHandler.mapping(it -> Set.of(new Request(ObjectKey.of(it)))))
                .watchesReferenced(Service.class, (ConfigMap map) -> Set.of(ObjectKey.of(map.getKind(), "a")))
                // TODO Windlass: watch Secret.class, mapped by Mappers.fromLabel("a", "b", ConfigMap.class), see https://windlass.dev/coming-over/java-operator-sdk/#event-sources
                .owns(Secret.class)
                // TODO Windlass: to replace a running operator, call Owned.adopt for its objects, see https://windlass.dev/coming-over/java-operator-sdk/#taking-over-owned-objects
                // TODO Windlass: decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers, and maxRetries(...), unlimited instead of 5, see https://windlass.dev/coming-over/java-operator-sdk/#errors-retries-and-rates
                .objectReconciler(this::reconcile)
                .register(manager);
          }

          public Result reconcile(ConfigMap map, ReconcileContext context) {
            // TODO Windlass: secondaries(Secret.class) returns only controlled objects; read the referenced ones with client().get(...), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
            context.secondaries(Secret.class).size();
            return Result.done();
          }
        }
        """);
  }

  Conversion keepsAMethodThatItCannotRead() {
    return new Conversion(
        """
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import io.javaoperatorsdk.operator.api.reconciler.Context;
        import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
        import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
        import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
        import io.javaoperatorsdk.operator.processing.event.source.EventSource;
        import java.util.ArrayList;
        import java.util.List;

        class R implements Reconciler<ConfigMap> {
          @Override
          public List<EventSource<?, ConfigMap>> prepareEventSources(
              EventSourceContext<ConfigMap> context) {
            List<EventSource<?, ConfigMap>> sources = new ArrayList<>();
            sources.clear();
            return sources;
          }

          @Override
          public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            context.resourceOperations().serverSideApply(map);
            return UpdateControl.noUpdate();
          }
        }
        """,
        """
        import dev.windlass.controller.ControllerBuilder;
        import dev.windlass.controller.reconcile.ReconcileContext;
        import dev.windlass.controller.reconcile.Result;
        import dev.windlass.manager.Manager;
        import io.fabric8.kubernetes.api.model.ConfigMap;
        import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
        import io.javaoperatorsdk.operator.processing.event.source.EventSource;
        import java.util.ArrayList;
        import java.util.List;

        class R {
          // TODO Windlass: convert the event sources of this method, see https://windlass.dev/coming-over/java-operator-sdk/#event-sources
          public List<EventSource<?, ConfigMap>> prepareEventSources(
              EventSourceContext<ConfigMap> context) {
            List<EventSource<?, ConfigMap>> sources = new ArrayList<>();
            sources.clear();
            return sources;
          }

          public Result reconcile(ConfigMap map, ReconcileContext context) {
            // TODO Windlass: use Owned.apply if owns(...) watches this type, see https://windlass.dev/coming-over/java-operator-sdk/#event-sources
            context.client().apply(map);
            return Result.done();
          }

          /** Registers the controller with a manager. */
          public void register(Manager manager) {
            ControllerBuilder.forType(ConfigMap.class)
                .named("r")
                // TODO Windlass: decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers, and maxRetries(...), unlimited instead of 5, see https://windlass.dev/coming-over/java-operator-sdk/#errors-retries-and-rates
                .objectReconciler(this::reconcile)
                .register(manager);
          }
        }
        """);
  }
}
