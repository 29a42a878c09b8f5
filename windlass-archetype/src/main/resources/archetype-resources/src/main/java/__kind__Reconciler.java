package ${package};

import dev.windlass.client.owned.Conditions;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps a Deployment for each ${kind}, and reports in the condition Ready whether its Pods are ready.
 *
 * <p>A reconcile does not depend on what has changed: it describes the desired state. It runs again
 * after each change of the ${kind} or its Deployment, and after each exception.
 */
final class ${kind}Reconciler {

  private final Clock clock;
  private final EventRecorder events;

  private ${kind}Reconciler(Manager manager) {
    clock = manager.clock();
    events = manager.eventRecorder("${kind}Reconciler");
  }

  /**
   * Registers the controller, with the objects for which it runs and the objects that it changes.
   */
  static void register(Manager manager, int workers) {
    ${kind}Reconciler reconciler = new ${kind}Reconciler(manager);
    ControllerBuilder.forType(${kind}.class)
        .owns(Deployment.class)
        .objectReconciler(reconciler::reconcile)
        .onError(reconciler::failed)
        .maxConcurrentReconciles(workers)
        .register(manager);
  }

  private Result reconcile(${kind} object, ReconcileContext context) {
    Deployment deployment = Owned.apply(context.client(), object, deployment(object)).object();
    int ready =
        Optional.ofNullable(deployment.getStatus())
            .map(DeploymentStatus::getReadyReplicas)
            .orElse(0);
    int wanted = object.getSpec().getReplicas();
    boolean isReady = ready >= wanted;
    object.getStatus().setReadyReplicas(ready);
    setReady(
        object,
        isReady,
        isReady ? "PodsReady" : "PodsNotReady",
        "%d of %d Pods are ready".formatted(ready, wanted));
    context.client().updateStatus(object); // sends no request if the status is unchanged
    return Result.done();
  }

  /**
   * Reports in the condition Ready why a reconcile has failed. The controller then retries the
   * reconcile with back-off.
   */
  private Result failed(${kind} object, Exception error, ReconcileContext context)
      throws Exception {
    String message = String.valueOf(error.getMessage());
    if (setReady(object, false, "Failed", message)) {
      events.warning(object, "Failed", message);
      context.client().updateStatus(object);
    }
    throw error;
  }

  /** Sets the condition Ready, and returns whether it has changed. */
  private boolean setReady(${kind} object, boolean isReady, String reason, String message) {
    return Conditions.of(object.getStatus().getConditions(), clock)
        .set(
            "Ready",
            Conditions.Status.of(isReady),
            reason,
            message,
            object.getMetadata().getGeneration());
  }

  /**
   * Returns the Deployment of an object. The name and the labels of the Deployment contain the
   * kind, so that objects of different types can have the same name.
   */
  private static Deployment deployment(${kind} object) {
    String kind = object.getSingular();
    String name = object.getMetadata().getName();
    Map<String, String> labels =
        Map.of("app.kubernetes.io/name", kind, "app.kubernetes.io/instance", name);
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(object.getMetadata().getNamespace())
        .withName(kind + "-" + name)
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
}
