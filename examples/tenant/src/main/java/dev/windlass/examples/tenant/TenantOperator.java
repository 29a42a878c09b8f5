// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.examples.cli.Operator;
import dev.windlass.examples.cli.Profile;
import dev.windlass.manager.Manager;
import picocli.CommandLine.Command;

/** Runs the Tenant operator against a cluster until it is told to stop. */
@Command(
    name = "tenant",
    description = "Keeps Namespaces, and the rights of their administrator, for each Tenant.")
public final class TenantOperator extends Operator {

  /** Probes are at {@code :9090} (000-134). */
  private static final Profile PROFILE =
      Profile.of("tenant", "27475f02.example.com").probing(":9090");

  /** A program that has not been started. */
  public TenantOperator() {
    super(PROFILE);
  }

  @Override
  protected void registerWith(Manager manager) {
    TenantController.builder(manager).maxConcurrentReconciles(workers()).register(manager);
  }

  /** The program. */
  public static void main(String[] args) {
    System.exit(run(new TenantOperator(), args));
  }
}
