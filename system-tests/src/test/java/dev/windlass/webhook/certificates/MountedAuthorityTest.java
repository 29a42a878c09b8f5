// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ForbiddenException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tests.owned.Samples;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.registration.AdmissionWebhook;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import dev.windlass.webhook.registration.WebhookTarget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the readiness check says about certificates that come from a directory. */
final class MountedAuthorityTest {

  private static final WebhookRegistration REGISTRATION =
      new WebhookRegistration(
          "tenants",
          WebhookTarget.service("shop", "hooks"),
          List.of(
              new AdmissionWebhook(
                  AdmissionRule.of(
                      new ResourceType("example.com", "v1", "tenants", "Tenant", false)),
                  false)),
          List.of());

  @TempDir private Path directory;

  private final TurnedClock clock = new TurnedClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().withoutThreads().clock(clock).start();
  private final Client client = FakeClient.of(server, Samples.namespace("shop"));
  private final Replica issuer = new Replica("issuer", client, REGISTRATION, clock);
  private final CertificateStatus status = new CertificateStatus(issuer.keys, clock);

  @BeforeEach
  void mounts() throws Exception {
    REGISTRATION.objects().forEach(object -> client.create(REGISTRATION.desired(object)));
    issuer.settle();
    for (String file : List.of(CertificateSecret.CA_CERTIFICATES, CertificateSecret.CERTIFICATE)) {
      Files.write(
          directory.resolve(file), Base64.getDecoder().decode(issuer.secret().getData().get(file)));
    }
  }

  private void run() throws Exception {
    var unused =
        new MountedAuthorityReconciler(directory, new BundleInjection(REGISTRATION), status, clock)
            .reconcile(new Request(Replica.SECRET), FakeContext.of(client, new ConfigMap()));
  }

  private void emptiesTheBundle() {
    RegisteredObject object = REGISTRATION.objects().get(0);
    var unused =
        client.patch(
            client.get(object.type(), object.key()).orElseThrow(),
            ObjectPatch.json(
                "[{\"op\": \"remove\", \"path\": \"/webhooks/0/clientConfig/caBundle\"}]"));
  }

  private String problem() {
    return status.readiness().orElseThrow();
  }

  @Test
  void passesWithUsableFiles() throws Exception {
    assertThat(problem()).isEqualTo("the webhook configurations were not read yet");
    run();
    assertThat(status.readiness()).isEmpty();
    Files.delete(directory.resolve("ca.crt"));
    assertThatThrownBy(this::run).isInstanceOf(IOException.class);
    assertThat(status.problem()).isPresent();
    assertThat(status.readiness()).as("the API server still trusts the certificate").isEmpty();
  }

  @Test
  void namesTheFileThatCanNotBeUsed() throws Exception {
    Path chain = directory.resolve("tls.crt");
    Files.writeString(chain, "no certificate");
    assertThatThrownBy(this::run).isInstanceOf(IOException.class);
    assertThat(problem()).startsWith("the certificates in " + chain + " can't be used: ");
    Path authorities = directory.resolve("ca.crt");
    Files.delete(authorities);
    assertThatThrownBy(this::run).isInstanceOf(IOException.class);
    assertThat(problem())
        .startsWith("the certificates in " + authorities + " can't be used: ")
        .contains("NoSuchFileException");
  }

  @Test
  void namesTheFileWithoutTheCaOfTheCertificate() throws Exception {
    emptiesTheBundle(); // or the former CA would stay in it
    Path authorities = directory.resolve("ca.crt");
    String another = CertificateAuthority.create(clock).self().certificatePem();
    Files.writeString(authorities, another);
    run();
    assertThat(problem()).contains("no CA in " + authorities + " has signed");
  }

  @Test
  void staysReadyIfAnotherReplicaWasFaster() throws Exception {
    run();
    assertThat(status.readiness()).isEmpty();
    emptiesTheBundle();
    server.fail(request -> request.verb() == Verb.PATCH, 409, 100);
    run();
    assertThat(status.readiness()).isEmpty();
  }

  @Test
  void namesTheRequestThatFails() {
    server.fail(RequestMatcher.of(Verb.GET, ValidatingWebhookConfiguration.class), 403, 1);
    assertThatThrownBy(this::run).isInstanceOf(ForbiddenException.class);
    assertThat(problem()).contains("failure injected by the test");
  }
}
