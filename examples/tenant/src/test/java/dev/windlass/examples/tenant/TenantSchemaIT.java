// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.owned.Conditions;
import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a real API server refuses by the CRD alone; no operator runs. */
final class TenantSchemaIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  private KubernetesClient kubectl;
  private World world;

  @BeforeEach
  void connects() {
    kubernetes.server().install(TenantArtifacts.crd());
    kubectl = kubernetes.server().newClient();
    world = new World(kubectl);
  }

  @AfterEach
  void disconnects() {
    kubectl.resources(Tenant.class).delete();
    kubectl.close();
  }

  private static void isRefused(ThrowingCallable request, String message) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining(message);
  }

  @Test
  void refusesNamespacesThatAreNamedTwice() {
    isRefused(
        () -> world.create(TenantArtifacts.sample("refused", "a", "b", "a")),
        "Duplicate value: \"a\"");
  }

  /** A prefix can't be changed, added or removed. */
  @Test
  void refusesAnotherPrefix() {
    world.create(TenantArtifacts.sample("prefixed"));
    Tenant bare = TenantArtifacts.sample("bare");
    bare.getSpec().setNamespacePrefix(null);
    world.create(bare);

    isRefused(() -> prefix("prefixed", "other-"), "namespacePrefix field should not be changed");
    isRefused(() -> prefix("prefixed", null), "namespacePrefix field should not be changed");
    isRefused(() -> prefix("bare", "new-"), "namespacePrefix field should not be changed");
    world.change("bare", spec -> spec.setNamespaces(List.of("other")));
  }

  private void prefix(String tenant, @Nullable String prefix) {
    world.change(tenant, spec -> spec.setNamespacePrefix(prefix));
  }

  /** With the real kubectl; and a list says of each whether it is ready. */
  @Test
  void isAppliedAsTheBuildMakesItAndShownInColumns(@TempDir Path folder) {
    Kubectl cli = Kubectl.on(kubernetes.server(), folder);
    cli.applyCrd("target/classes/META-INF/fabric8/tenants.multitenancy.example.com-v1.yml");
    world.create(TenantArtifacts.sample("shown"));
    assertThat(columns(cli)).containsExactly("shown", "default", "shown-");
    for (String ready : List.of("False", "True")) {
      world
          .kubectl()
          .resources(Tenant.class)
          .withName("shown")
          .editStatus(
              tenant -> {
                TenantStatus status = new TenantStatus();
                Conditions.of(status.getConditions(), Clock.systemUTC())
                    .set(TenantStatus.READY, Conditions.Status.valueOf(upper(ready)), 1);
                tenant.setStatus(status);
                return tenant;
              });
      assertThat(columns(cli)).containsExactly("shown", "default", "shown-", ready);
    }
    assertThat(cli.run("get", "tenant").lines().get(0).split(" +", -1))
        .containsExactly("NAME", "ADMIN", "PREFIX", "READY");
    assertThat(cli.run("api-resources", "--no-headers", "--api-group=" + Tenant.GROUP).text())
        .matches("tenants +multitenancy.example.com/v1 +false +Tenant\n");
    assertThat(
            cli.run("get", "crd", "tenants." + Tenant.GROUP, "-o=jsonpath={.spec.names.listKind}")
                .text())
        .isEqualTo("TenantList");
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private static String[] columns(Kubectl cli) {
    return cli.run("get", "tenant", "shown", "--no-headers").text().trim().split(" +", -1);
  }

  /** Who writes the Tenant does not write the status. */
  @Test
  void keepsTheStatusApart() {
    Tenant tenant = TenantArtifacts.sample("apart");
    tenant.setStatus(new TenantStatus());
    assertThat(world.create(tenant).getStatus()).isNull();
  }
}
