// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates and CAs turn over under load, and a real API server refuses no request. The option
 * {@code -Dwebhook.rotations=1000} turns them over more often.
 */
final class CertificateRotationIT {

  private static final Logger log = LoggerFactory.getLogger(CertificateRotationIT.class);

  private static final int ROTATIONS = Integer.getInteger("webhook.rotations", 20);
  private static final int CLIENTS = 30;

  /** How many requests must be answered after a rotation, before the next one. */
  private static final int REQUESTS = 100;

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  @AutoClose private KubernetesClient kubectl;
  @AutoClose private final Balancer balancer = Balancer.open();
  private final AtomicLong calls = new AtomicLong();

  CertificateRotationIT() throws IOException {}

  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
  }

  private WebhookReplica replica(String name) {
    WebhookReplica replica =
        WebhookReplica.started(
            name,
            kubernetes.clientConfig(),
            balancer.address(),
            builder ->
                builder
                    .applyConfigurations()
                    .validate(
                        AdmissionRule.of(ConfigMap.class)
                            .on(Operation.CREATE)
                            .objectsWith(AdmissionLoad.selector()),
                        request -> {
                          calls.incrementAndGet();
                          return Verdict.allow();
                        }));
    balancer.add(replica.port());
    return replica;
  }

  private Secret secret() {
    return kubectl.secrets().inNamespace("default").withName(WebhookReplica.SECRET).get();
  }

  /** How many CAs the API server trusts. */
  private int authorities() {
    String bundle =
        kubectl
            .admissionRegistration()
            .v1()
            .validatingWebhookConfigurations()
            .withName(WebhookReplica.CONFIGURATION)
            .get()
            .getWebhooks()
            .get(0)
            .getClientConfig()
            .getCaBundle();
    return new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII)
            .split("BEGIN CERTIFICATE", -1)
            .length
        - 1;
  }

  private void rotate(int number) {
    switch (number % 3) {
      case 0 -> lose("tls.crt"); // the certificate
      case 1 -> kubectl.resource(secret()).delete(); // the CA
      default -> lose("ca.key"); // the CA, too
    }
  }

  private void lose(String field) {
    kubectl
        .secrets()
        .inNamespace("default")
        .withName(WebhookReplica.SECRET)
        .edit(
            secret -> {
              secret.getData().remove(field);
              return secret;
            });
  }

  private void awaitRotation(List<WebhookReplica> replicas, X509Certificate before) {
    eventually()
        .untilAsserted(
            () -> {
              X509Certificate now = replicas.get(0).presented();
              assertThat(now).isNotEqualTo(before);
              for (WebhookReplica replica : replicas) {
                assertThat(replica.presented()).isEqualTo(now);
                assertThat(replica.problem()).isEmpty();
              }
              assertThat(authorities()).as("CAs in the bundle").isEqualTo(1);
            });
  }

  @Test
  @Timeout(6_000)
  void refusesNoRequest() throws Exception {
    try (WebhookReplica a = replica("a");
        WebhookReplica b = replica("b")) {
      List<WebhookReplica> replicas = List.of(a, b);
      eventually().untilAsserted(() -> assertThat(a.problem()).isEmpty());
      eventually().untilAsserted(() -> assertThat(b.problem()).isEmpty());
      eventually().untilAsserted(() -> kubectl.resource(AdmissionLoad.object()).dryRun().create());
      try (AdmissionLoad load = AdmissionLoad.start(kubectl, CLIENTS)) {
        for (int i = 0; i < ROTATIONS; i++) {
          X509Certificate before = a.presented();
          rotate(i);
          awaitRotation(replicas, before);
          long sofar = load.requests();
          eventually()
              .untilAsserted(() -> assertThat(load.requests()).isGreaterThan(sofar + REQUESTS));
          assertThat(load.failures()).as("after %d rotations", i + 1).isEmpty();
        }
        log.info(
            "Answered {} requests ({} calls of webhooks) during {} rotations with {} failures",
            load.requests(),
            calls.get(),
            ROTATIONS,
            load.failures().size());
        assertThat(calls.get()).isGreaterThanOrEqualTo(load.requests() - CLIENTS);
      }
    }
  }
}
