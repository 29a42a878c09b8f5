// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;

/** Keeps the ConfigMap, through a dependent resource, and the status. */
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
      // Written here, not by the returned UpdateControl, so that it is known to have succeeded.
      context.resourceOperations().serverSideApplyPrimaryStatus(bench);
    }
    run.succeed(namespace, name);
    return UpdateControl.noUpdate();
  }
}
