// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kubectl explain} prints the same on the embedded and on the real server. */
final class KubectlExplainIT {

  private static final Pattern FIELD = Pattern.compile("(?m)^ +(\\S+)\t<([^>]+)>");

  private static final String GADGETS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: gadgets.explain.windlass.dev}
      spec:
        group: explain.windlass.dev
        scope: Namespaced
        names: {kind: Gadget, plural: gadgets, singular: gadget}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              description: A gadget with parts.
              type: object
              properties:
                spec:
                  description: What the gadget should be.
                  type: object
                  required: [parts]
                  properties:
                    size: {type: integer, description: The size in metres.}
                    mode: {type: string, enum: [fast, safe]}
                    labels: {type: object, additionalProperties: {type: string}}
                    parts:
                      type: array
                      items:
                        type: object
                        properties:
                          name: {type: string, description: The name of a part.}
                status:
                  type: object
                  x-kubernetes-preserve-unknown-fields: true
      """;

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @TempDir private Path embeddedFolder;
  @TempDir private Path realFolder;
  private Kubectl embedded;
  private Kubectl real;

  @BeforeEach
  void connect() {
    embedded = Kubectl.on(server, embeddedFolder);
    real = Kubectl.on(kubernetes.server(), realFolder);
  }

  private static String explain(Kubectl kubectl, String... arguments) {
    Kubectl.Output output = kubectl.run(arguments);
    assertThat(output.exit()).as(output.text()).isZero();
    return output.text();
  }

  @Test
  void printsTheSchemaOfACustomResource() throws Exception {
    String file = Files.writeString(embeddedFolder.resolve("crd.yaml"), GADGETS).toString();
    explain(embedded, "apply", "-f", file);
    explain(real, "apply", "-f", file);
    for (String path :
        List.of("gadgets", "gadgets.spec", "gadgets.spec.parts", "gadgets.spec.mode")) {
      String printed = explain(embedded, "explain", path);
      await() // the real server publishes the schema of a new definition after some time
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(explain(real, "explain", path)).isEqualTo(printed));
    }
    assertThat(explain(embedded, "explain", "gadgets.spec", "--recursive"))
        .isEqualTo(explain(real, "explain", "gadgets.spec", "--recursive"));
    assertThat(embedded.run("explain", "gadgets.spec.nothing").text())
        .isEqualTo(real.run("explain", "gadgets.spec.nothing").text())
        .contains("field \"nothing\" does not exist");
  }

  /**
   * The classes of fabric8 know the fields, also those of later versions of Kubernetes, but not
   * their descriptions.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "configmaps",
        "deployments",
        "deployments.spec",
        "deployments.spec.template.spec",
        "pods.spec.containers",
        "services.spec.ports",
        "leases.spec",
        "customresourcedefinitions.spec.versions"
      })
  void namesTheFieldsOfABuiltInKind(String path) {
    List<String> known = fields(explain(real, "explain", path));
    assertThat(known).isNotEmpty();
    assertThat(fields(explain(embedded, "explain", path))).containsSubsequence(known);
  }

  private static List<String> fields(String explained) {
    return FIELD
        .matcher(explained)
        .results()
        .map((MatchResult field) -> field.group(1) + " " + field.group(2))
        .toList();
  }
}
