// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;

import dev.windlass.client.ApiException;
import dev.windlass.informer.Informer;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The identity changes, and the process continues without a restart. Covers docs/reliability.md, D1
 * and D2.
 */
final class CredentialsIT {

  private static final String ACCOUNT = "operator";

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @TempDir Path directory;
  @AutoClose private KubernetesClient admin;

  @BeforeEach
  void connects() {
    admin = kubernetes.server().newClient();
  }

  private static ConditionFactory within(Duration limit) {
    return eventually().atMost(limit).ignoreExceptions();
  }

  /** A kubeconfig with the account's current token, where the old one stood. */
  private Path kubeconfig() throws IOException {
    TokenRequest token =
        admin
            .serviceAccounts()
            .inNamespace("default")
            .withName(ACCOUNT)
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withExpirationSeconds(600L)
                    .endSpec()
                    .build());
    String text =
        kubernetes
            .server()
            .kubeconfig()
            .replaceAll("client-certificate-data: .*", "token: " + token.getStatus().getToken())
            .replaceAll("\n *client-key-data: .*", "");
    return Files.writeString(directory.resolve("kubeconfig"), text);
  }

  private void createAccount() {
    admin.resource(Samples.serviceAccount("default", ACCOUNT)).create();
  }

  private static ConfigMap map(String name) {
    return Samples.map("default", name);
  }

  /**
   * The token in the kubeconfig becomes invalid because its account was deleted; then the same file
   * contains a new token of a new account (docs/reliability.md, bug 32).
   */
  @Test
  void takesANewTokenWithoutARestart() throws IOException {
    createAccount();
    Rights.grant(admin, "credentials", Rights.rule("", "configmaps", "*"), Rights.account(ACCOUNT));
    try (Manager manager = Manager.builder().kubeconfig(kubeconfig()).build()) {
      Informer<ConfigMap> maps = manager.cache(ConfigMap.class);
      manager.start();
      within(Duration.ofSeconds(30)).until(maps::hasSynced);

      admin.serviceAccounts().inNamespace("default").withName(ACCOUNT).delete();
      within(Duration.ofSeconds(30)).until(() -> isRefused(manager));
      createAccount();
      kubeconfig();

      within(Duration.ofSeconds(60))
          .until(() -> manager.client().create(map("after")).getMetadata().getUid() != null);
      within(Duration.ofSeconds(60))
          .until(() -> maps.indexer().get(ObjectKey.of("default", "after")).isPresent());
      kubernetes.server().killApiServer(); // so that the watch has to show its token, too
      kubernetes.server().startApiServer();
      within(Duration.ofSeconds(60))
          .until(() -> manager.client().create(map("again")).getMetadata().getUid() != null);
      within(Duration.ofSeconds(60))
          .until(() -> maps.indexer().get(ObjectKey.of("default", "again")).isPresent());
      within(Duration.ofSeconds(60)).until(() -> maps.problem().isEmpty());
    }
  }

  private static boolean isRefused(Manager manager) {
    try {
      manager.client().uncached().get(ConfigMap.class, ObjectKey.of("default", "none"));
      return false;
    } catch (ApiException e) {
      return e.getCode() == 401;
    }
  }
}
