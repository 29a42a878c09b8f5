// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import dev.windlass.testsupport.TrustEverything;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who may read metrics and diagnosis, as a real API server decides. */
@Timeout(300)
final class MetricsAuthenticationIT {

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  /** As Prometheus with {@code insecureSkipVerify}. */
  private final HttpClient https =
      HttpClient.newBuilder().sslContext(TrustEverything.context()).build();

  private record Asked(String token, String path, int code) {}

  private static String token(KubernetesClient admin, String account) {
    if (admin.serviceAccounts().inNamespace("default").withName(account).get() == null) {
      admin
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withName(account)
                  .withNamespace("default")
                  .endMetadata()
                  .build())
          .create();
    }
    TokenRequest made =
        admin
            .serviceAccounts()
            .inNamespace("default")
            .withName(account)
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withExpirationSeconds(600L)
                    .endSpec()
                    .build());
    return made.getStatus().getToken();
  }

  private int get(Manager manager, String path, String token) throws Exception {
    int port = manager.endpoints().metricsPort().orElseThrow();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return https.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  @Test
  void letsPassWhomTheServerKnowsAndAllowsAndNobodyWhenItIsAway() throws Exception {
    try (KubernetesClient admin = kubernetes.server().newClient();
        Manager manager =
            Manager.builder()
                .config(kubernetes.server().clientConfig())
                .metricsBindAddress(":0")
                .metricsText(() -> "up 1\n")
                .metricsAuthentication(true)
                .build()) {
      String reader = token(admin, "reader");
      String unused = token(admin, "reader");
      String stranger = token(admin, "stranger");
      Rights.grant(
          admin,
          "metrics-reader",
          new PolicyRuleBuilder().withNonResourceURLs("/metrics").withVerbs("get").build(),
          Rights.account("reader"));
      manager.start();
      List<Asked> requests =
          List.of(
              new Asked("", "/metrics", 401),
              new Asked("", "/debug/windlass", 401),
              new Asked("nonsense", "/metrics", 401),
              new Asked(reader + "x", "/metrics", 401),
              new Asked(stranger, "/metrics", 403),
              new Asked(stranger, "/debug/windlass", 403),
              new Asked(reader, "/metrics", 200),
              new Asked(reader, "/metrics", 200),
              new Asked(reader, "/metrics?name=x", 200),
              new Asked(reader, "/debug/windlass", 403),
              new Asked(reader, "/none", 404),
              new Asked("", "/none", 404));
      for (Asked each : requests) {
        assertThat(get(manager, each.path(), each.token())).as(each.path()).isEqualTo(each.code());
      }
      String diagnosis = "http://127.0.0.1:" + manager.endpoints().diagnosisPort().orElseThrow();
      assertThat(
              https
                  .send(
                      HttpRequest.newBuilder(URI.create(diagnosis + "/debug/windlass")).build(),
                      HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .as("by port-forward, without a token")
          .isEqualTo(200);
      kubernetes.server().killApiServer();
      assertThat(get(manager, "/metrics", unused)).as("of whom nothing is known").isEqualTo(503);
      assertThat(get(manager, "/metrics", "")).isEqualTo(401);
    }
  }
}
