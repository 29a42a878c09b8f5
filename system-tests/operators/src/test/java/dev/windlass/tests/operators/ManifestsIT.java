// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The {@code install.yaml} of the examples: applied and deleted as their READMEs say, and compared
 * with what Helm renders from the chart.
 */
final class ManifestsIT {

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES =
      RealApiServerExtension.own(RealApiServer.builder());

  @TempDir static Path tools;
  @TempDir private Path folder;

  private static Helm helm;
  private static Kubectl kubectl;

  @BeforeAll
  static void prepares() throws Exception {
    helm = Helm.on(KUBERNETES.server(), tools);
    kubectl = Kubectl.on(KUBERNETES.server(), tools);
  }

  private Path write(String example, String operator, String namespace, List<String> options)
      throws Exception {
    Path written = folder.resolve("install.yaml");
    List<String> all = new ArrayList<>(options);
    all.add("--write-helm=" + folder.resolve("chart"));
    all.add("--write-manifests=" + written);
    all.add("--write-namespace=" + namespace);
    InstalledProgram.write(InstalledProgram.jar(example, operator), all.toArray(String[]::new));
    return written;
  }

  /** Also what lies in a namespace that is made by the same command. */
  @ParameterizedTest
  @CsvSource({
    "foo, foo-operator",
    "hello, hello-operator",
    "tenant, tenant-operator",
    "versions, sites-operator"
  })
  void areAppliedAtTheFirstTry(String example, String operator) throws Exception {
    Path written = write(example, operator, example + "-system", List.of());
    int objects = objects(Files.readString(written)).size();
    Kubectl.Output applied = kubectl.run("apply", "--server-side", "-f", written.toString());
    assertThat(applied.exit()).as(applied.text()).isZero();
    assertThat(applied.lines())
        .hasSize(objects)
        .allMatch(line -> line.endsWith(" serverside-applied"))
        .anyMatch(line -> line.startsWith("deployment.apps/"));
    Kubectl.Output found = kubectl.run("get", "-o", "name", "-f", written.toString());
    assertThat(found.lines()).as(found.text()).hasSize(objects);

    Kubectl.Output deleted =
        kubectl.run("delete", "--wait=false", "-f", written.toString(), "-l", "app=" + operator);
    assertThat(deleted.exit()).as(deleted.text()).isZero();
    Kubectl.Output rest =
        kubectl.run("get", "--ignore-not-found", "-o", "name", "-f", written.toString());
    assertThat(deleted.lines()).as(deleted.text()).hasSize(objects - rest.lines().size());
    assertThat(rest.lines())
        .as("a deletion of a CRD would delete the objects of users")
        .hasSizeGreaterThan(1)
        .allMatch(
            line -> line.startsWith("customresourcedefinition") || line.startsWith("namespace/"));
  }

  @ParameterizedTest
  @CsvSource({
    "foo, foo-operator, ''",
    "foo, foo-operator, --namespace=default --metrics-bind-address=:9090 --log-format=json",
    "hello, hello-operator, --variant=owns --workers=3",
    "hello, hello-operator, --namespace=123",
    "hello, hello-operator, --shards=12",
    "foo, foo-operator, --shards=1",
    "tenant, tenant-operator, ''",
    "tenant, tenant-operator, --namespace=default --log-level=DEBUG --webhook-bind-address=:7443",
    "tenant, tenant-operator, --webhook-cert-dir=/{{.braces}} --write-image=example.com:5000/a:1",
    "versions, sites-operator, --leader-election-namespace=leases",
    "versions, sites-operator, --leader-election-namespace=leases --shards=3",
  })
  void hasTheObjectsOfTheChart(String example, String operator, String options) throws Exception {
    List<String> given = options.isEmpty() ? List.of() : List.of(options.split(" "));
    String namespace = "42";
    Path written = write(example, operator, namespace, given);
    String rendered =
        helm.succeed(List.of("template", operator, folder + "/chart", "--namespace", namespace));
    Map<String, Object> objects = objects(Files.readString(written));
    assertThat(objects.remove("Namespace null/" + namespace)).isNotNull();
    assertThat(objects).containsExactlyEntriesOf(objects(rendered));
  }

  /** The objects in a text, by what identifies them, without what only Helm needs. */
  private static Map<String, Object> objects(String yaml) {
    Map<String, Object> objects = new TreeMap<>();
    Arrays.stream(yaml.replaceAll("(?m)^ *helm\\.sh/.*\\R", "").split("(?m)^---$"))
        .filter(part -> !part.replaceAll("(?m)^#.*$", "").isBlank())
        .map(part -> (Map<?, ?>) Serialization.unmarshal(part, Map.class))
        .forEach(
            object -> {
              Map<?, ?> metadata = (Map<?, ?>) object.get("metadata");
              if (metadata.get("annotations") == null) {
                metadata.remove("annotations"); // had the one of Helm
              }
              objects.put(
                  object.get("kind") + " " + metadata.get("namespace") + "/" + metadata.get("name"),
                  object);
            });
    return objects;
  }
}
