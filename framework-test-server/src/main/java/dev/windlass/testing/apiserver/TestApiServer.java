// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running API server that a test accesses as an administrator.
 *
 * <p>The server listens only on the loopback interface, on a free port, and runs until {@link
 * #close()} is called. Implementations are thread-safe.
 */
public interface TestApiServer extends AutoCloseable {

  /**
   * Returns a new client configuration with this server's address and administrator credentials.
   * The caller can modify the configuration.
   */
  Config clientConfig();

  /**
   * Returns the content of a kubeconfig file with this server's address and administrator
   * credentials, for kubectl and other programs.
   */
  String kubeconfig();

  /**
   * Returns the capabilities of this server. A test uses them to choose the expected result, but
   * never to skip the test.
   */
  ServerCapabilities capabilities();

  /** Returns a new client for this server. The caller must close it. */
  default KubernetesClient newClient() {
    return AdminClients.create(clientConfig());
  }

  /**
   * Installs a custom resource definition if it does not exist, and waits until the server serves
   * its resources.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the server rejects the
   *     definition, or does not serve its resources within 30 s
   */
  default void install(CustomResourceDefinition crd) {
    try (KubernetesClient client = newClient()) {
      var resource = client.apiextensions().v1().customResourceDefinitions().resource(crd);
      if (resource.get() == null) {
        resource.create();
      }
      resource.waitUntilCondition(TestApiServer::isEstablished, 30, TimeUnit.SECONDS);
    }
  }

  /**
   * Installs the custom resource definition that fabric8's CRD generator created for a class. This
   * method reads the definition from {@code META-INF/fabric8/<plural>.<group>-v1.yml} on the class
   * path, and then calls {@link #install(CustomResourceDefinition)}.
   *
   * @throws IllegalArgumentException if the file does not exist, or if the definition rejects every
   *     value of a field of the class, such as a {@code Duration}; the message names the file or
   *     the field
   */
  default void install(Class<? extends CustomResource<?, ?>> type) {
    String file = "META-INF/fabric8/" + CustomResource.getCRDName(type) + "-v1.yml";
    try (InputStream crd = type.getClassLoader().getResourceAsStream(file)) {
      if (crd == null) {
        throw new IllegalArgumentException(
            "no %s on the class path of %s; add the crd-generator-maven-plugin to the build, or install the definition itself"
                .formatted(file, type.getName()));
      }
      var definition = Serialization.unmarshal(crd, CustomResourceDefinition.class);
      WrittenFields.check(type, definition);
      install(definition);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file, e);
    }
  }

  private static boolean isEstablished(@Nullable CustomResourceDefinition crd) {
    return crd != null
        && crd.getStatus() != null
        && crd.getStatus().getConditions() != null
        && crd.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True"));
  }

  /** Stops the server and releases its port, threads and files. This method is idempotent. */
  @Override
  void close();
}
