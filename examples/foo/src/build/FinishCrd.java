// SPDX-License-Identifier: Apache-2.0
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the CRD under the two names that sample-controller has, with the status subresource and
 * without. Run by the build (pom.xml) as {@code java FinishCrd.java <file> <directory>}, when the
 * conditions are finished.
 */
final class FinishCrd {

  private FinishCrd() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    Path directory = Files.createDirectories(Path.of(args[1]));
    CustomResourceDefinition crd =
        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    Files.writeString(directory.resolve("crd-status-subresource.yaml"), Serialization.asYaml(crd));
    crd.getSpec().getVersions().get(0).setSubresources(null);
    Files.writeString(directory.resolve("crd.yaml"), Serialization.asYaml(crd));
  }
}
