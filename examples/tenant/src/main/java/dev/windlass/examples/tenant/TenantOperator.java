// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.cli.WebhookOptions;
import dev.windlass.manager.Manager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the Tenant operator against a cluster until it is stopped. */
@Command(
    name = "tenant",
    description = "Manages Namespaces and their administrator's permissions for each Tenant.")
public final class TenantOperator extends Operator {

  /**
   * The defaults of this program. As in the program on which this example is based, health probes
   * are served at {@code :9090}.
   */
  private static final Program PROGRAM =
      Program.named("tenant")
          .role("tenant-operator")
          .lease("27475f02.example.com")
          .metrics(":8080")
          .probes(":9090");

  @Mixin private final WebhookOptions webhooks = new WebhookOptions();

  /** Creates the program without starting it. */
  public TenantOperator() {
    super(PROGRAM);
  }

  @Override
  protected void registerWith(Manager manager) {
    TenantController.builder(manager).maxConcurrentReconciles(workers()).register(manager);
    webhooks
        .webhooks("tenant-operator")
        .ifPresent(declared -> TenantWebhooks.declare(declared).register(manager));
  }

  /** Starts the program. */
  public static void main(String[] args) {
    System.exit(new TenantOperator().run(args));
  }
}
