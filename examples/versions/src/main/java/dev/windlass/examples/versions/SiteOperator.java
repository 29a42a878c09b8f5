// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.cli.WebhookOptions;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Verb;
import dev.windlass.webhook.migration.StorageMigration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the Site operator against a cluster until it is stopped. */
@Command(name = "sites", description = "Reports the URL of each Site, and converts Sites.")
public final class SiteOperator extends Operator {

  private static final Program PROGRAM =
      Program.named("sites")
          .role("sites-operator")
          .lease("sites.versions.windlass.dev")
          .metrics(":8080")
          .crds("config/crd.yaml");

  @Mixin private final WebhookOptions webhooks = new WebhookOptions();

  /** Creates the program without starting it. */
  public SiteOperator() {
    super(PROGRAM);
  }

  // sample: register
  @Override
  protected void registerWith(Manager manager) {
    webhooks
        .webhooks("site-operator")
        .ifPresent(declared -> declared.convert(SiteVersions.CONVERSION).register(manager));
    ControllerBuilder.forType(Site.class)
        .objectReconciler(new SiteReconciler())
        .usesStatus(Verb.UPDATE)
        .maxConcurrentReconciles(workers())
        .register(manager);
    StorageMigration.of(Site.class).register(manager);
  }

  // end

  /** Starts the program. */
  public static void main(String[] args) {
    System.exit(new SiteOperator().run(args));
  }
}
