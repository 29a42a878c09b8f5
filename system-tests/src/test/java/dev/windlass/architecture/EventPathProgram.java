// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;

/**
 * The program whose execution {@link ExecutedFiles} observes: one controller of ConfigMaps, which
 * prints a line for each reconcile. It runs until its standard input ends.
 */
final class EventPathProgram {

  private EventPathProgram() {}

  public static void main(String... arguments) throws Exception {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(arguments[0]).build();
    try (Manager manager =
        Manager.builder()
            .config(config)
            .checkPermissions(false)
            // No watch ends while something is observed.
            .informerOptions(InformerOptions.defaults().withWatchTimeout(Duration.ofMinutes(10)))
            .build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .reconciler(
              (request, context) -> {
                System.out.println(ExecutedFiles.RECONCILED);
                return Result.done();
              })
          .register(manager);
      manager.start();
      while (System.in.read() >= 0) {
        // until the observer has seen enough
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
