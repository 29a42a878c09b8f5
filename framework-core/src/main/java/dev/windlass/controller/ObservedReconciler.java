// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A reconciler each run of which is observed: a span, if somebody traces, that is the current one
 * of the thread meanwhile, so that what the reconciler does becomes its children.
 */
final class ObservedReconciler implements Reconciler {

  private static final String NAME = "windlass.reconcile";

  private final Reconciler reconciler;
  private final String controller;
  private final ObservationRegistry registry;

  private ObservedReconciler(
      Reconciler reconciler, String controller, ObservationRegistry registry) {
    this.reconciler = reconciler;
    this.controller = controller;
    this.registry = registry;
  }

  /** The reconciler itself, if nobody wants to know. */
  static Reconciler of(Manager manager, String controller, Reconciler reconciler) {
    return of(manager.observationRegistry(), controller, reconciler);
  }

  static Reconciler of(ObservationRegistry registry, String controller, Reconciler reconciler) {
    return registry == ObservationRegistry.NOOP
        ? reconciler
        : new ObservedReconciler(reconciler, controller, registry);
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Observation observation =
        Observation.createNotStarted(NAME, registry)
            .contextualName("reconcile " + controller)
            .lowCardinalityKeyValue("controller", controller)
            .highCardinalityKeyValue("namespace", request.namespace())
            .highCardinalityKeyValue("name", request.name())
            .highCardinalityKeyValue("reconcileId", context.reconcileId())
            .start();
    String result = "error";
    Observation.Scope scope = observation.openScope();
    try {
      Result returned = reconciler.reconcile(request, context);
      result = nameOf(returned);
      return returned;
    } catch (Throwable t) {
      observation.error(t);
      throw t;
    } finally {
      scope.close();
      observation.lowCardinalityKeyValue("result", result);
      observation.stop();
    }
  }

  /** As the label {@code result} of {@code controller_runtime_reconcile_total}. */
  private static String nameOf(@Nullable Result result) {
    if (result == null) {
      return "error";
    }
    if (!result.requeueAfter().isZero()) {
      return "requeue_after";
    }
    return result.requeue() ? "requeue" : "success";
  }

  @Override
  public String toString() {
    return reconciler.toString();
  }
}
