// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.Worker;
import dev.windlass.scheduling.FatalErrors;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reconciler that creates a Micrometer observation for each run of another reconciler. If tracing
 * is configured, the observation is a span. During the run, it is the current observation of the
 * reconciling thread. The spans of operations within the run therefore become its children.
 */
public final class ObservedReconciler implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(ObservedReconciler.class);

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

  /**
   * Returns a reconciler that observes the runs of the given reconciler. If observation is
   * disabled, returns the given reconciler itself.
   */
  public static Reconciler of(
      ObservationRegistry registry, String controller, Reconciler reconciler) {
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
            .highCardinalityKeyValue("reconcileId", context.reconcileId());
    AtomicReference<Observation.@Nullable Scope> scope = new AtomicReference<>();
    quietly(() -> scope.set(observation.start().openScope()));
    String result = "error";
    try {
      Result returned = Worker.requireResult(reconciler.reconcile(request, context), controller);
      result = nameOf(returned);
      return returned;
    } catch (Throwable t) {
      quietly(() -> observation.error(t));
      throw t;
    } finally {
      Observation.Scope open = scope.get();
      if (open != null) {
        quietly(open::close);
      }
      String outcome = result;
      quietly(() -> observation.lowCardinalityKeyValue("result", outcome).stop());
    }
  }

  /**
   * Performs a step of the observation. If the step fails, logs the failure, which must not affect
   * the reconcile.
   */
  private static void quietly(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      log.error("Failed to observe a reconcile; it continues", e);
    }
  }

  /**
   * Returns the result as in the label {@code result} of {@code
   * controller_runtime_reconcile_total}.
   */
  private static String nameOf(Result result) {
    if (result.isAtOnce() || !result.requeueAfter().isZero()) {
      return "requeue_after";
    }
    return result.requeue() ? "requeue" : "success";
  }
}
