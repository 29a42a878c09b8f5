// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.quarkus;

import dev.windlass.examples.frameworks.Labeller;
import dev.windlass.manager.Manager;
import dev.windlass.manager.OnLeadershipLost;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

// sample: bean
/** Starts the manager with the application, and stops it with the application. */
@ApplicationScoped
public class OperatorBean {

  /** Creates the manager and registers its controllers. */
  @Produces
  @Singleton
  Manager manager(KubernetesClient client) {
    Manager manager =
        Manager.builder().client(client).onLeadershipLost(OnLeadershipLost.STAND_BY).build();
    Labeller.register(manager);
    return manager;
  }

  void start(@Observes Startup event, Manager manager) {
    manager.start(); // returns immediately; caches are filled in the background
  }

  void stop(@Observes Shutdown event, Manager manager) {
    manager.stop(); // waits for reconciles, up to windlass.stop-timeout
  }
}
// end
