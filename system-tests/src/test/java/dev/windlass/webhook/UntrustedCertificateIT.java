// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What users see if a real API server does not accept the certificate. */
final class UntrustedCertificateIT {

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES = RealApiServerExtension.shared();

  @TempDir private Path directory;
  @AutoClose private KubernetesClient kubectl;
  @AutoClose private final Balancer balancer = Balancer.open();
  private final String host = String.valueOf(URI.create(balancer.address()).getHost());

  UntrustedCertificateIT() throws IOException {}

  @BeforeEach
  void connects() {
    kubectl = AdmissionLoad.client(KUBERNETES.clientConfig());
  }

  @AfterEach
  void removesTheWebhooks() {
    WebhookReplica.uninstall(kubectl);
  }

  private void declare(WebhookBuilder builder) {
    builder.validate(
        AdmissionRule.of(ConfigMap.class)
            .on(Operation.CREATE)
            .objectsWith(AdmissionLoad.selector()),
        request -> Verdict.allow());
  }

  private WebhookReplica mounted() {
    WebhookReplica replica =
        WebhookReplica.started(
            "a",
            KUBERNETES.clientConfig(),
            balancer.address(),
            builder -> declare(builder.certificatesIn(directory).injectAuthority()));
    replica.install(kubectl);
    balancer.add(replica.port());
    return replica;
  }

  private void create() {
    kubectl.resource(AdmissionLoad.object()).dryRun().create();
  }

  private static void awaitProblem(WebhookReplica replica, String text) {
    eventually().untilAsserted(() -> assertThat(replica.problem().orElse("")).contains(text));
  }

  @Test
  void acceptsTheCertificateOfADirectory() throws IOException {
    new MountedFiles(directory).write(host);
    try (WebhookReplica replica = mounted()) {
      eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
      eventually().untilAsserted(this::create);
    }
  }

  @Test
  void saysThatTheCertificateIsMissing() {
    try (WebhookReplica replica = mounted()) {
      awaitProblem(replica, "there is no certificate yet");
      awaitProblem(replica, "ca.crt");
    }
  }

  @Test
  void saysThatTheCertificateHasExpired() throws IOException {
    new MountedFiles(directory).writeExpired(host);
    try (WebhookReplica replica = mounted()) {
      awaitProblem(replica, "the certificate has expired at");
      eventually()
          .untilAsserted(
              () -> assertThatThrownBy(this::create).hasMessageContaining("has expired"));
    }
  }

  @Test
  void saysThatAnotherCaHasSignedTheCertificate() throws IOException {
    MountedFiles files = new MountedFiles(directory);
    files.write(host);
    files.writeAnotherAuthority();
    try (WebhookReplica replica = mounted()) {
      awaitProblem(replica, "no CA in " + directory.resolve("ca.crt") + " has signed");
      eventually()
          .untilAsserted(
              () -> assertThatThrownBy(this::create).hasMessageContaining("unknown authority"));
    }
  }

  @Test
  void saysThatTheConfigurationIsMissingUntilItIsThere() {
    try (WebhookReplica replica =
        WebhookReplica.started("a", KUBERNETES.clientConfig(), balancer.address(), this::declare)) {
      balancer.add(replica.port());
      awaitProblem(
          replica, "ValidatingWebhookConfiguration " + WebhookReplica.CONFIGURATION + " does not");
      replica.install(kubectl); // the program has created the Secret
      eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
      eventually().untilAsserted(this::create);
    }
  }
}
