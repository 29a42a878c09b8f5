// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running API server that a test may write to as administrator.
 *
 * <p>It listens on loopback only, on a free port, and ends with {@link #close()}. Safe for use by
 * several threads.
 */
public interface TestApiServer extends AutoCloseable {

  /**
   * A new client configuration with the address and administrator credentials of this server. The
   * caller may change it.
   */
  Config clientConfig();

  /**
   * The same address and credentials as the text of a kubeconfig file, for kubectl and programs.
   */
  String kubeconfig();

  /** What this server can do; a test reads it to choose what it expects, never to skip. */
  ServerCapabilities capabilities();

  /** A new client on this server; the caller closes it. */
  default KubernetesClient newClient() {
    return new KubernetesClientBuilder().withConfig(clientConfig()).build();
  }

  /**
   * Installs a custom resource definition, if it is not there, and waits until its objects are
   * served.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the server refuses it, or
   *     does not serve it within 30 s
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
   * Installs the custom resource definition that fabric8's CRD generator has made of a class, which
   * is on the class path as {@code META-INF/fabric8/<plural>.<group>-v1.yml}; as {@link
   * #install(CustomResourceDefinition)} otherwise.
   *
   * @throws IllegalArgumentException if there is none, naming the file
   */
  default void install(Class<? extends CustomResource<?, ?>> type) {
    String file = "META-INF/fabric8/" + CustomResource.getCRDName(type) + "-v1.yml";
    try (InputStream crd = type.getClassLoader().getResourceAsStream(file)) {
      if (crd == null) {
        throw new IllegalArgumentException(
            "no %s on the class path of %s; add the crd-generator-maven-plugin to the build, or install the definition itself"
                .formatted(file, type.getName()));
      }
      install(Serialization.unmarshal(crd, CustomResourceDefinition.class));
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

  /** Stops the server and frees its port, threads and files. A second call does nothing. */
  @Override
  void close();
}
