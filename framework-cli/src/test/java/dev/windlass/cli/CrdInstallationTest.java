// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.time.ManualScheduler;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How CRDs are installed, and what is said if they can't be. */
final class CrdInstallationTest {

  private static final List<CrdFile> KNOT =
      CrdFile.find(CrdInstallationTest.class.getClassLoader(), List.of("crds/knots.yaml"))
          .subList(0, 1);

  private final ManualScheduler scheduler = new ManualScheduler();

  private static CustomResourceDefinition with(String type, String status) {
    return new CustomResourceDefinitionBuilder(KNOT.get(0).crd())
        .withNewStatus()
        .addNewCondition()
        .withType(type)
        .withStatus(status)
        .withReason("Because")
        .withMessage("of the names")
        .endCondition()
        .endStatus()
        .build();
  }

  private void install(Supplier<@Nullable CustomResourceDefinition> found) {
    CrdInstallation.Crds server =
        new CrdInstallation.Crds() {
          @Override
          public void apply(CustomResourceDefinition crd) {}

          @Override
          public @Nullable CustomResourceDefinition get(String name) {
            return found.get();
          }
        };
    new CrdInstallation(server, scheduler, scheduler::advance).install(KNOT);
  }

  private Duration elapsed() {
    return Duration.ofNanos(scheduler.nanoTime());
  }

  @Test
  void waitsUntilTheServerServesThem() {
    long begun = scheduler.nanoTime();
    long served = begun + Duration.ofSeconds(20).toNanos();
    install(
        () ->
            scheduler.nanoTime() < served
                ? scheduler.nanoTime() - begun < 1_000_000_000L
                    ? null
                    : with("Established", "False")
                : with("Established", "True"));
    assertThat(scheduler.nanoTime()).isBetween(served, served + Duration.ofSeconds(1).toNanos());
  }

  @Test
  void saysAfterHalfAMinuteWhichOneIsNotServedAndWhatIsKnown() {
    Duration before = elapsed();
    assertThatThrownBy(() -> install(() -> with("Established", "False")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the API server does not serve the CRD knots.example.com after 30 s: Established is"
                + " False (Because, of the names); see: kubectl describe crd knots.example.com");
    assertThat(elapsed().minus(before)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
    assertThatThrownBy(() -> install(() -> null)).hasMessageContaining("the CRD does not exist");
    assertThatThrownBy(() -> install(() -> KNOT.get(0).crd()))
        .hasMessageContaining("it has no condition Established");
  }

  @Test
  void saysAtOnceThatTheNamesAreTaken() {
    Duration before = elapsed();
    assertThatThrownBy(() -> install(() -> with("NamesAccepted", "False")))
        .hasMessageContaining("the names of the CRD knots.example.com are taken")
        .hasMessageContaining("of the names");
    assertThat(elapsed()).isEqualTo(before);
  }

  @Test
  void saysWhatToDoIfTheServerRefuses() {
    for (int code : new int[] {403, 500}) {
      CrdInstallation.Crds server =
          new CrdInstallation.Crds() {
            @Override
            public void apply(CustomResourceDefinition crd) {
              throw new KubernetesClientException(
                  "no\nway", code, new StatusBuilder().withCode(code).build());
            }

            @Override
            public @Nullable CustomResourceDefinition get(String name) {
              throw new AssertionError("it was refused");
            }
          };
      CrdInstallation installation = new CrdInstallation(server, scheduler, scheduler::advance);
      assertThatThrownBy(() -> installation.install(KNOT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the CRD knots.example.com")
          .hasMessageContaining("no\\u000away")
          .satisfies(
              thrown ->
                  assertThat(String.valueOf(thrown.getMessage()).contains("--print-rbac"))
                      .isEqualTo(code == 403));
    }
  }

  @Test
  void needsRightsToItsOwnCrdsOnly() {
    assertThat(CrdInstallation.rights(KNOT).all())
        .allMatch(right -> right.name().equals("knots.example.com"))
        .extracting(right -> right.verb())
        .containsExactlyInAnyOrder(Verb.GET, Verb.CREATE, Verb.PATCH);
    assertThat(CrdInstallation.rights(List.of()).all()).isEmpty();
  }

  @Test
  void changesNothingTheSecondTime() {
    try (EmbeddedApiServer kubernetes = EmbeddedApiServer.start();
        KubernetesClient client =
            new KubernetesClientBuilder().withConfig(kubernetes.clientConfig()).build()) {
      CrdInstallation.Server server = new CrdInstallation.Server(client, "knots");
      CrdInstallation installation = new CrdInstallation(server, scheduler, scheduler::advance);
      installation.install(KNOT);
      CustomResourceDefinition first = server.get("knots.example.com");
      installation.install(KNOT);
      CustomResourceDefinition second = server.get("knots.example.com");
      assertThat(first).isNotNull();
      assertThat(second).isEqualTo(first);
    }
  }
}
