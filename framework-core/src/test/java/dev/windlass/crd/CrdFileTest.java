// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which CRDs an operator brings. */
final class CrdFileTest {

  private static final String GENERATED = "META-INF/fabric8/ropes.example.com-v1.yml";
  private static final String BY_HAND = "crds/knots.yaml";

  private final ClassLoader classPath = CrdFileTest.class.getClassLoader();

  @Test
  void areThoseThatTheBuildHasMadeAndThoseThatAreNamed() {
    List<CrdFile> found = CrdFile.find(classPath, List.of(BY_HAND));
    assertThat(found)
        .extracting(CrdFile::name)
        .containsExactly("knots.example.com", "ropes.example.com");
    assertThat(found).extracting(CrdFile::file).containsExactly(BY_HAND, GENERATED);
  }

  @Test
  void takesTheOneThatWasWrittenByHandIfThereAreTwo() {
    List<CrdFile> found = CrdFile.find(classPath, List.of(GENERATED, GENERATED));
    assertThat(found).extracting(CrdFile::name).containsExactly("ropes.example.com");
  }

  @Test
  void namesTheFileThatIsNotThere() {
    assertThatThrownBy(() -> CrdFile.find(classPath, List.of("crds/none.yaml")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no file crds/none.yaml on the class path");
  }

  @Test
  void isTheOneThatTheGeneratorHasWrittenForAClass() {
    CrdFile file = CrdFile.of(Rope.class);
    assertThat(file.file()).isEqualTo(GENERATED);
    assertThat(file.name()).isEqualTo("ropes.example.com");
    assertThatThrownBy(() -> CrdFile.of(ConfigMap.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "there is no file META-INF/fabric8/configmaps-v1.yml on the class path of "
                + ConfigMap.class.getName()
                + "; add the crd-generator-maven-plugin");
  }

  @Test
  void mustBeACrd() {
    assertThatThrownBy(() -> CrdFile.find(classPath, List.of("crds/no-crd.yaml")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the file crds/no-crd.yaml contains no CRD");
  }

  @Group("example.com")
  @Version("v1")
  private static final class Rope extends CustomResource<Void, Void> {
    private static final long serialVersionUID = 1L;
  }

  /** As in a program that is one jar. */
  @Test
  void areFoundInAJar(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("operator.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        InputStream crd = Objects.requireNonNull(classPath.getResourceAsStream(GENERATED))) {
      out.putNextEntry(new JarEntry("META-INF/fabric8/"));
      out.putNextEntry(new JarEntry(GENERATED));
      crd.transferTo(out);
      out.putNextEntry(new JarEntry("META-INF/fabric8/notes.txt"));
    }
    try (URLClassLoader other = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      assertThat(CrdFile.find(other, List.of()))
          .extracting(CrdFile::name)
          .containsExactly("ropes.example.com");
    }
  }
}
