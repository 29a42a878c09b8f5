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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which CRDs an operator brings. */
final class CrdFileTest {

  private static final String GENERATED = "META-INF/fabric8/ropes.example.com-v1.yml";
  private static final String BY_HAND = "crds/knots.yaml";

  @TempDir private Path folder;
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
        .hasMessageStartingWith("document 1 of the file crds/no-crd.yaml must contain");
  }

  /** As {@code kubectl get crd -o yaml} and release pages have them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "A---\nB",
        "# two CRDs\n---\nA---\n# nothing\n---\nB---\n",
        "--- # the first\nA...\n---\nB",
        "apiVersion: v1\nkind: List\nitems:\n- Ia\n- Ib\n",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- Ia\n"
            + "- Ib\n",
        "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[Ia,Ib]}"
      })
  void readsEachDocumentAndList(String yaml) throws IOException {
    assertThat(in(yaml)).extracting(CrdFile::name).containsExactly("as.b.c", "bs.b.c");
  }

  @Test
  void namesTheDocumentThatIsNoCrd() {
    for (String bad :
        List.of("apiVersion: v1\nkind: ConfigMap\n", "apiVersion: v1\nkind: Unknown\n")) {
      assertThatThrownBy(() -> in("A---\n---\n" + bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("document 2 of the file two.yaml must contain")
          .hasMessageContaining(bad.contains("Config") ? "a ConfigMap of v1" : "a Unknown of v1");
    }
    assertThatThrownBy(() -> in("A---\n- x\n"))
        .hasMessage("document 2 of the file two.yaml is not a Kubernetes object");
    assertThatThrownBy(() -> in("# nothing\n---\n"))
        .hasMessage("the file two.yaml contains no CRD");
  }

  /** Reads a file in which A, B, Ia and Ib stand for CRDs. */
  private List<CrdFile> in(String yaml) throws IOException {
    String item =
        "{\"apiVersion\": \"apiextensions.k8s.io/v1\", \"kind\": \"CustomResourceDefinition\","
            + " \"metadata\": {\"name\": \"%ss.b.c\"}, \"spec\": {\"group\": \"b.c\"}}";
    String document =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"
            + "  name: %ss.b.c\nspec:\n  group: b.c\n";
    String text =
        yaml.replaceAll("\\bA(?=\\.|-)", document.formatted("a"))
            .replaceAll("\\bB(?=-|$)", document.formatted("b"))
            .replace("Ia", item.formatted("a"))
            .replace("Ib", item.formatted("b"));
    Files.writeString(folder.resolve("two.yaml"), text);
    try (URLClassLoader files = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
      return CrdFile.find(files, List.of("two.yaml"));
    }
  }

  @Group("example.com")
  @Version("v1")
  private static final class Rope extends CustomResource<Void, Void> {
    private static final long serialVersionUID = 1L;
  }

  /** As in a program that is one jar. */
  @Test
  void areFoundInAJar() throws IOException {
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
