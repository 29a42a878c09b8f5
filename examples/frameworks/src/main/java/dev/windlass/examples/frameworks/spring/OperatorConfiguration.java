// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.spring;

import dev.windlass.examples.frameworks.Labeller;
import dev.windlass.manager.Manager;
import dev.windlass.manager.OnLeadershipLost;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

// sample: configuration
/** Creates the manager and registers its controllers. */
@Configuration(proxyBeanMethods = false)
public class OperatorConfiguration {

  /** Creates the manager, which {@link OperatorLifecycle} starts. */
  @Bean(destroyMethod = "") // OperatorLifecycle stops it
  Manager manager(KubernetesClient client, Environment environment) {
    Manager manager =
        Manager.builder()
            .client(client)
            .settings(environment::getProperty) // windlass.* in application.properties
            .onLeadershipLost(OnLeadershipLost.STAND_BY)
            .build();
    Labeller.register(manager);
    return manager;
  }
}
// end
