// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** The files that users apply with kubectl, for tests and the demo. */
final class FooArtifacts {

  private FooArtifacts() {}

  /** Installs the CRD with the status subresource and waits until it is served. */
  static void applyCrd(KubernetesClient client) {
    CustomResourceDefinition crd =
        read("crd-status-subresource.yaml", CustomResourceDefinition.class);
    var resource = client.apiextensions().v1().customResourceDefinitions().resource(crd);
    if (resource.get() == null) {
      resource.create();
    }
    resource.waitUntilCondition(FooArtifacts::isEstablished, 30, TimeUnit.SECONDS);
  }

  private static boolean isEstablished(CustomResourceDefinition crd) {
    return crd != null
        && crd.getStatus() != null
        && crd.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True"));
  }

  /** The Foo of {@code example-foo.yaml}. */
  static Foo exampleFoo(String namespace) {
    Foo foo = read("example-foo.yaml", Foo.class);
    foo.getMetadata().setNamespace(namespace);
    return foo;
  }

  static <T> T read(String file, Class<T> type) {
    try (InputStream in = FooArtifacts.class.getResourceAsStream("/artifacts/examples/" + file)) {
      return Serialization.unmarshal(in, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
