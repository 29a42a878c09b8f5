// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.Operator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The {@code install.yaml} that an operator writes. */
public final class Manifests {

  private Manifests() {}

  /**
   * Makes an operator write its file, and returns the objects in it, in their order.
   *
   * @param folder where it writes
   * @param namespace where it will run
   * @param options of the operator
   */
  public static List<HasMetadata> write(
      Operator operator, Path folder, String namespace, String... options) throws IOException {
    Path file = folder.resolve("install.yaml");
    Stream<String> own = Stream.of("--write-manifests=" + file, "--write-namespace=" + namespace);
    assertThat(operator.run(Stream.concat(own, Stream.of(options)).toArray(String[]::new)))
        .isZero();
    return Arrays.stream(Files.readString(file).split("(?m)^---$", -1))
        .skip(1) // the comment with the checksum
        .map(part -> (HasMetadata) Serialization.unmarshal(part, KubernetesResource.class))
        .toList();
  }
}
