// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;

/** Records the reconcile and does nothing else. */
@ControllerConfiguration
public final class Noop implements Reconciler<Bench> {

  private final RunRecord run;

  Noop(RunRecord run) {
    this.run = run;
  }

  @Override
  public UpdateControl<Bench> reconcile(Bench bench, Context<Bench> context) {
    String namespace = bench.getMetadata().getNamespace();
    String name = bench.getMetadata().getName();
    run.begin(namespace, name, bench.getSpec().getSentAt());
    run.succeed(namespace, name);
    return UpdateControl.noUpdate();
  }
}
