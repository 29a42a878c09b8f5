// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Widget;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands of {@code docs/guides/webhook-operator.md} for a program outside the cluster. */
@Timeout(120)
final class WebhookOperatorGuideIT {

  private static final String NAME = "default-widget-operator";

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES = RealApiServerExtension.shared();

  @TempDir private Path folder;
  @AutoClose private final KubernetesClient client = KUBERNETES.server().newClient();

  private static Widget widget(int size) {
    Widget widget = Widget.of("default", "w");
    widget.getSpec().setSize(size);
    return widget;
  }

  private String bundle() {
    return client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName(NAME)
        .get()
        .getWebhooks()
        .get(0)
        .getClientConfig()
        .getCaBundle();
  }

  @Test
  void kubectlRegistersTheWebhooksAndKeepsTheCertificates() throws Exception {
    KUBERNETES.server().install(Widget.definition());
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String[] options = {
      "--webhook-url=https://127.0.0.1:" + port, "--webhook-namespace=default", "--print-manifests"
    };
    StringWriter printed = new StringWriter();
    assertThat(
            new WebhookOperatorGuideTest.WidgetOperator()
                .commandLine()
                .setOut(new PrintWriter(printed))
                .execute(options))
        .isZero();
    assertThat(printed.toString()).doesNotContain("caBundle");
    String manifests = Files.writeString(folder.resolve("webhooks.yaml"), printed + "").toString();
    Path kubeconfig = folder.resolve("config");
    Files.writeString(kubeconfig, KUBERNETES.server().kubeconfig());
    Kubectl kubectl = Kubectl.on(KUBERNETES.server(), folder);
    try (JavaProcess program =
        JavaProcess.start(
            WebhookOperatorGuideTest.WidgetOperator.class,
            "--kubeconfig=" + kubeconfig,
            "--webhook-bind-address=127.0.0.1:" + port,
            "--health-probe-bind-address=127.0.0.1:0",
            options[0],
            options[1])) {
      Kubectl.Output applied = kubectl.run("apply", "--server-side", "-f", manifests);
      assertThat(applied.exit()).as(applied.text()).isZero();
      eventually()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> client.resource(widget(101)).dryRun().create())
                      .hasMessageContaining("must be at most 100"));
      String bundle = bundle();
      assertThat(bundle).isNotEmpty();
      for (String how : new String[] {"--server-side=true", "--server-side=false"}) {
        Kubectl.Output again = kubectl.run("apply", how, "-f", manifests);
        assertThat(again.exit()).as(again.text()).isZero();
        assertThat(bundle()).as(how).isEqualTo(bundle);
      }
      program.terminate();
      assertThat(program.awaitExit()).isZero();
    } finally {
      client.admissionRegistration().v1().validatingWebhookConfigurations().withName(NAME).delete();
    }
  }
}
