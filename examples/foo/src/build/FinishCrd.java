// SPDX-License-Identifier: Apache-2.0
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the generated CRD to two files, which have the same names as in sample-controller: one
 * with the status subresource and one without it. The build (pom.xml) runs this program as {@code
 * java FinishCrd.java <file> <directory>}, after the goal {@code windlass:finish-crds}.
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
