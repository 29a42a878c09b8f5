// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The files that users apply with kubectl, for tests. */
final class HelloArtifacts {

  private HelloArtifacts() {}

  /** The CRD that the build has made. */
  static CustomResourceDefinition crd() {
    return read(
        "/META-INF/fabric8/hellos.myapp.whichxjy.com-v1.yml", CustomResourceDefinition.class);
  }

  /** The Hello of the sample. */
  static Hello sample(String namespace) {
    Hello hello = read("/config/samples/myapp_v1_hello.yaml", Hello.class);
    hello.getMetadata().setNamespace(namespace);
    return hello;
  }

  private static <T> T read(String file, Class<T> type) {
    try (InputStream in = HelloArtifacts.class.getResourceAsStream(file)) {
      return Serialization.unmarshal(in, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
