// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.Operator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The kustomize folder that an operator writes, without its components. Reads when it is asked. */
public final class Manifests {

  private final Path folder;

  private Manifests(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes an operator write its folder.
   *
   * @param namespace where it will run
   * @param options of the operator
   */
  public static Manifests write(
      Operator operator, Path folder, String namespace, String... options) {
    Stream<String> own = Stream.of("--write-kustomize=" + folder, "--write-namespace=" + namespace);
    assertThat(operator.run(Stream.concat(own, Stream.of(options)).toArray(String[]::new)))
        .isZero();
    return new Manifests(folder);
  }

  /** The objects in a file of any part of the folder, in their order. */
  public List<HasMetadata> read(String file) {
    Path path =
        Stream.of("operator", "crds", "")
            .map(part -> folder.resolve(part).resolve(file))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow(() -> new AssertionError(file + " was not written"));
    try {
      return Arrays.stream(Files.readString(path).split("(?m)^---$", -1))
          .filter(part -> !part.isBlank())
          .map(part -> (HasMetadata) Serialization.unmarshal(part, KubernetesResource.class))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Applies files, as kubectl does. */
  public void apply(KubernetesClient client, String... files) {
    for (String file : files) {
      read(file).forEach(object -> client.resource(object).serverSideApply());
    }
  }
}
