// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.manager.Manager;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.Write;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The Tenant operator on virtual time, and its user. */
final class TenantFixture implements AutoCloseable {

  /** Each Tenant is reconciled every 10 s, so one minute shows whether the operator rests. */
  private static final Duration STABLE = Duration.ofMinutes(1);

  final ReconcilerTest test;
  final World world;
  private @Nullable Manager manager;

  TenantFixture(CustomResourceDefinition crd) {
    test = ReconcilerTest.of(this::register).install(crd).withStablePeriod(STABLE);
    world = new World(test.kubernetesClient());
  }

  private void register(Manager started) {
    manager = started;
    TenantController.register(started);
  }

  /** Returns the manager of the process that runs. */
  Manager manager() {
    return Objects.requireNonNull(manager);
  }

  /** Returns the metric of the Namespaces that were {@code added} or {@code removed}. */
  int count(String what) {
    return (int)
        manager().meterRegistry().get("tenant_controller_" + what + "_namespaces").gauge().value();
  }

  List<String> writes() {
    return test.writes().stream().map(Write::toString).toList();
  }

  /** Returns the outcomes of the reconciles of a Tenant. */
  List<String> runs(String tenant) {
    return test.reconciles().stream()
        .filter(run -> run.object().equals(tenant))
        .map(run -> run.outcome())
        .toList();
  }

  /** Returns the failures of the reconciles of a Tenant. */
  List<Throwable> failures(String tenant) {
    return test.reconciles().stream()
        .filter(run -> run.object().equals(tenant))
        .flatMap(run -> run.failure().stream())
        .toList();
  }

  @Override
  public void close() {
    test.close();
  }
}
