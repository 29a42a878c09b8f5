// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.examples.cli.Operator;
import dev.windlass.examples.cli.Profile;
import dev.windlass.examples.cli.WebhookSettings;
import dev.windlass.manager.Manager;
import dev.windlass.webhook.migration.StorageMigration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the Site operator against a cluster until it is stopped. */
@Command(name = "sites", description = "Reports the URL of each Site, and converts Sites.")
public final class SiteOperator extends Operator {

  private static final Profile PROFILE =
      new Profile(
          "sites",
          1,
          ":8080",
          Profile.NOWHERE,
          "sites.versions.windlass.dev",
          List.of("config/crd.yaml"),
          List.of(),
          Profile.Wording.OF_CONTROLLER_RUNTIME);

  @Mixin private final WebhookSettings webhooks = new WebhookSettings();

  /** Creates the program without starting it. */
  public SiteOperator() {
    super(PROFILE);
  }

  // sample: register
  @Override
  protected void registerWith(Manager manager) {
    webhooks
        .webhooks("site-operator")
        .map(declared -> declared.convert(SiteVersions.CONVERSION).register(manager))
        .ifPresent(registered -> addManifests(registered.manifests()));
    ControllerBuilder.forType(Site.class)
        .objectReconciler(new SiteReconciler())
        .maxConcurrentReconciles(workers())
        .register(manager);
    StorageMigration.of(Site.class).register(manager);
  }

  // end

  /** Starts the program. */
  public static void main(String[] args) {
    System.exit(run(new SiteOperator(), args));
  }
}
