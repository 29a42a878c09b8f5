// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.spring;

import dev.windlass.examples.frameworks.Labeller;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.OnLeadershipLost;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

// sample: configuration
/** Creates the manager and registers its controllers. */
@Configuration(proxyBeanMethods = false)
public class OperatorConfiguration {

  /** Creates the manager, which {@link OperatorLifecycle} starts. */
  @Bean(destroyMethod = "") // OperatorLifecycle stops it
  Manager manager(ObjectProvider<KubernetesClient> client, Environment environment) {
    ManagerBuilder builder =
        Manager.builder()
            .settings(environment::getProperty) // windlass.* in application.properties
            .onLeadershipLost(OnLeadershipLost.STAND_BY);
    client.ifAvailable(builder::client); // in tests
    Manager manager = builder.build();
    Labeller.register(manager);
    return manager;
  }
}
// end
