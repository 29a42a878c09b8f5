// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.architecture.Alerts;
import dev.windlass.health.HealthCheck;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.manager.Manager;
import dev.windlass.metrics.Scrape;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.rbac.UsedPermissions;
import dev.windlass.testsupport.Logs;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program with webhooks and its certificates, on the embedded API server. */
@Timeout(60)
final class WebhookCertificatesTest {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubectl = server.newClient();
  @AutoClose private final Balancer balancer = Balancer.open();
  private final UsedPermissions used = new UsedPermissions();
  @AutoClose private final KubernetesClient client = used.client(server.clientConfig());

  WebhookCertificatesTest() throws IOException {}

  private static void declare(WebhookBuilder builder) {
    builder.validate(AdmissionLoad.rule(), request -> Verdict.allow());
  }

  private WebhookReplica replica() {
    WebhookReplica replica =
        new WebhookReplica(
            "a",
            server.clientConfig(),
            balancer.address(),
            builder -> builder.client(client).checkPermissions(false),
            WebhookCertificatesTest::declare,
            manager -> {});
    replica.install(kubectl).manager.start();
    balancer.add(replica.port());
    return replica;
  }

  private Secret secret() {
    return kubectl.secrets().inNamespace("default").withName(WebhookReplica.SECRET).get();
  }

  private void awaitCalls(WebhookReplica replica) {
    eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
    eventually().untilAsserted(() -> kubectl.resource(AdmissionLoad.object()).create());
  }

  /** Lines of the keys as the Secret has them, and as they are decoded. */
  private static List<String> keysIn(Secret secret) {
    List<String> canaries = new ArrayList<>();
    for (String field : List.of("ca.key", "tls.key")) {
      String encoded = secret.getData().get(field);
      canaries.add(encoded.substring(40, 80));
      String pem = new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
      canaries.add(pem.lines().skip(1).findFirst().orElseThrow());
    }
    return canaries;
  }

  @Test
  void keepsKeysOutOfLogsAndTheDiagnosis() throws Exception {
    try (Logs logs = Logs.by(Level.DEBUG, "dev.windlass");
        WebhookReplica replica = replica()) {
      awaitCalls(replica);
      List<String> canaries = new ArrayList<>(keysIn(secret()));
      X509Certificate before = replica.presented();
      kubectl.resource(secret()).delete();
      eventually().untilAsserted(() -> assertThat(replica.presented()).isNotEqualTo(before));
      canaries.addAll(keysIn(secret()));
      patch("{\"data\": {\"tls.crt\": \"" + secret().getData().get("tls.key") + "\"}}");
      eventually()
          .untilAsserted(() -> assertThat(logs.lines().toString()).contains("contains data in"));
      String everything =
          logs.lines() + replica.manager.diagnosis().json() + replica.webhooks + replica.manager;
      assertThat(canaries).hasSize(8).noneMatch(everything::contains);
      assertThat(cachedSecrets(replica.manager)).noneMatch(text -> text.contains("tls.key"));
    }
  }

  private static List<String> cachedSecrets(Manager manager) {
    List<String> cached = new ArrayList<>();
    for (SharedIndexInformer<?> informer : manager.informers().informers()) {
      if (informer.type().kind().equals("Secret")) {
        informer
            .indexer()
            .list()
            .forEach(object -> cached.add(new String(object.json(), StandardCharsets.UTF_8)));
      }
    }
    assertThat(cached).isNotEmpty();
    return cached;
  }

  /** Admissions go on, with the certificate in memory, and everybody can see what to do. */
  @Test
  void showsADamagedSecretEverywhereUntilItIsRepaired() throws Exception {
    try (WebhookReplica replica = replica()) {
      awaitCalls(replica);
      Alerts alerts = Alerts.ofCharts();
      Set<String> quiet = // this program elects no leader, and its certificate lasts for 3 days
          Set.of("NoLeader", "CertificateExpires");
      assertThat(alerts.firing(List.of(scrape(replica), scrape(replica)))).isEqualTo(quiet);
      String garbage = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
      patch("{\"data\": {\"tls.crt\": \"%s\", \"ca.key\": \"%s\"}}".formatted(garbage, garbage));
      eventually()
          .untilAsserted(
              () ->
                  assertThat(replica.manager.endpoints().check(HealthCheck.Kind.READY))
                      .hasEntrySatisfying(
                          "webhook-certificates",
                          problem -> assertThat(problem.orElse("")).contains("contains data in"))
                      .containsEntry("webhooks", Optional.empty()));
      eventually()
          .untilAsserted(
              () ->
                  assertThat(alerts.firing(List.of(scrape(replica), scrape(replica))))
                      .contains("CertificatesFail"));
      eventually()
          .untilAsserted(
              () ->
                  assertThat(
                          kubectl.events().v1().events().inNamespace("default").list().getItems())
                      .filteredOn(event -> event.getReason().equals("UnusableCertificates"))
                      .singleElement()
                      .satisfies(
                          event ->
                              assertThat(event.getRegarding().getName())
                                  .isEqualTo(WebhookReplica.SECRET))
                      .satisfies(
                          event -> assertThat(event.getNote()).contains("delete the Secret")));
      assertThat(used.tooShort(replica.manager.permissions())).isEmpty();
      kubectl.resource(AdmissionLoad.object()).create();
      kubectl.resource(secret()).delete();
      eventually()
          .untilAsserted(
              () ->
                  assertThat(replica.manager.endpoints().check(HealthCheck.Kind.READY))
                      .containsEntry("webhook-certificates", Optional.empty()));
      eventually()
          .untilAsserted(
              () ->
                  assertThat(alerts.firing(List.of(scrape(replica), scrape(replica))))
                      .isEqualTo(quiet));
    }
  }

  private static String scrape(WebhookReplica replica) {
    return Scrape.of(replica.manager.meterRegistry()).orElseThrow().text();
  }

  private void patch(String merge) {
    kubectl
        .secrets()
        .inNamespace("default")
        .withName(WebhookReplica.SECRET)
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  @Test
  void needsNothingButThePermissionsThatItDeclares() throws Exception {
    try (WebhookReplica replica = replica()) {
      awaitCalls(replica);
      assertThat(used.tooShort(replica.manager.permissions())).isEmpty();
      assertThat(replica.manager.permissions().yaml("x"))
          .contains("resourceNames:\n  - \"" + WebhookReplica.SECRET + "\"");
      replica.manager.stop();
      assertThat(secret().getMetadata().getAnnotations()).isNullOrEmpty();
      assertThat(used.tooShort(replica.manager.permissions())).isEmpty();
    }
  }
}
