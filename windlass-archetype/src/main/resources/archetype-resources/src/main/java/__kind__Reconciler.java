package ${package};

import dev.windlass.client.Client;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps a Deployment for each ${kind}, and reports how many of its Pods are ready.
 *
 * <p>A reconcile does not ask what has changed: it describes the desired state. It runs again after
 * each change of the ${kind} or its Deployment, and after each exception.
 */
final class ${kind}Reconciler {

  private ${kind}Reconciler() {}

  /** Registers the controller, for which objects it runs, and what it changes. */
  static void register(Manager manager, int workers) {
    ControllerBuilder.forType(${kind}.class)
        .owns(Deployment.class)
        .objectReconciler(${kind}Reconciler::reconcile)
        .maxConcurrentReconciles(workers)
        .register(manager);
  }

  private static Result reconcile(${kind} object, ReconcileContext context) {
    Owned.apply(context.client(), object, deployment(object));
    report(object, context.client());
    return Result.done();
  }

  private static Deployment deployment(${kind} object) {
    String name = object.getMetadata().getName();
    Map<String, String> labels = Map.of("app.kubernetes.io/instance", name);
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(object.getMetadata().getNamespace())
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withReplicas(object.getSpec().getReplicas())
        .withNewSelector()
        .withMatchLabels(labels)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage(object.getSpec().getImage())
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** Writes the status. The client sends no request if the status is what it was. */
  private static void report(${kind} object, Client client) {
    int ready =
        client
            .get(Deployment.class, ObjectKey.of(object))
            .flatMap(found -> Optional.ofNullable(found.getStatus()))
            .flatMap(status -> Optional.ofNullable(status.getReadyReplicas()))
            .orElse(0);
    ${kind}Status status = new ${kind}Status();
    status.setReadyReplicas(ready);
    object.setStatus(status);
    client.updateStatus(object);
  }
}
