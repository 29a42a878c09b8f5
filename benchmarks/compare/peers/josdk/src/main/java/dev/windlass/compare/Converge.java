// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;

/**
 * Maintains the status of a {@link Bench} and, through the dependent resource {@link Child}, its
 * ConfigMap.
 */
@Workflow(dependents = @Dependent(type = Child.class))
@ControllerConfiguration
public final class Converge implements Reconciler<Bench> {

  private final RunRecord run;

  Converge(RunRecord run) {
    this.run = run;
  }

  @Override
  public UpdateControl<Bench> reconcile(Bench bench, Context<Bench> context) {
    String namespace = bench.getMetadata().getNamespace();
    String name = bench.getMetadata().getName();
    run.begin(namespace, name, bench.getSpec().getSentAt());
    if (bench.converge()) {
      // The status is written here and not through an UpdateControl, so that a failed write throws
      // an exception.
      context.resourceOperations().serverSideApplyPrimaryStatus(statusOf(bench));
    }
    run.succeed(namespace, name);
    return UpdateControl.noUpdate();
  }

  /**
   * Returns an object that contains only the name, the namespace and the status of a Bench, for a
   * server-side apply.
   */
  private static Bench statusOf(Bench bench) {
    Bench applied = new Bench();
    applied.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(bench.getMetadata().getNamespace())
            .withName(bench.getMetadata().getName())
            .build());
    applied.setSpec(null);
    applied.setStatus(bench.getStatus());
    return applied;
  }
}
