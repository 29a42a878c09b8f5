// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real kubectl works on the embedded server. */
final class KubectlIT {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @TempDir private Path folder;
  private Kubectl kubectl;

  @BeforeEach
  void connect() {
    kubectl = Kubectl.on(server, folder);
  }

  private String run(String... arguments) {
    Kubectl.Output output = kubectl.run(arguments);
    assertThat(output.exit()).as(output.text()).isZero();
    return output.text();
  }

  @Test
  void appliesShowsPatchesAndDeletes() throws IOException {
    String file =
        Files.writeString(
                folder.resolve("deployment.yaml"),
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: d, namespace: default}
                spec:
                  selector: {matchLabels: {app: d}}
                  template:
                    metadata: {labels: {app: d}}
                    spec: {containers: [{name: c, image: i}]}
                """)
            .toString();
    assertThat(run("apply", "-f", file)).contains("deployment.apps/d created");
    assertThat(run("apply", "-f", file)).contains("deployment.apps/d unchanged");
    assertThat(run("apply", "--server-side", "--force-conflicts", "-f", file))
        .contains("deployment.apps/d serverside-applied");
    assertThat(run("wait", "--for=condition=Available", "--timeout=20s", "deployment/d"))
        .contains("condition met");
    assertThat(run("get", "deployments")).containsPattern("NAME +AGE").containsPattern("d +\\d+s");
    assertThat(run("describe", "deployment", "d")).contains("1 desired | 1 updated | 1 total");
    run("patch", "deployment", "d", "--type=merge", "-p", "{\"spec\":{\"paused\":true}}");
    run("scale", "deployment", "d", "--replicas=3");
    assertThat(run("get", "deployment", "d", "-o", "jsonpath={.spec.paused}{.spec.replicas}"))
        .isEqualTo("true3");
    run("delete", "deployment", "d", "--wait", "--timeout=20s");
    assertThat(kubectl.run("get", "deployment", "d").text()).contains("NotFound");
  }

  private void apply(String objects) throws IOException {
    run("apply", "-f", Files.writeString(folder.resolve("objects.yaml"), objects).toString());
  }

  @Test
  void listsAllObjects() throws IOException {
    apply(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: s}
        spec: {ports: [{port: 80}]}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d}
        spec:
          selector: {matchLabels: {app: d}}
          template:
            metadata: {labels: {app: d}}
            spec: {containers: [{name: c, image: i}]}
        """);
    assertThat(run("get", "all")).contains("service/s ").contains("deployment.apps/d ");
    assertThat(run("get", "cm,svc,deploy", "-A")).contains("service/s ");
    assertThat(run("api-resources", "--categories=all", "-o", "name"))
        .contains("deployments.apps")
        .doesNotContain("configmaps");
  }
}
