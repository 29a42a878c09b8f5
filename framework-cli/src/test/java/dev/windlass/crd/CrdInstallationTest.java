// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How CRDs are installed, and what is said if they can't be. */
final class CrdInstallationTest {

  private static final CrdInstallation KNOT =
      CrdInstallation.onClassPath(
          CrdInstallationTest.class.getClassLoader(), List.of("crds/knots.yaml"));

  private final ManualScheduler clock = new ManualScheduler();
  private final FakeCrds server = new FakeCrds();

  /** Time that passes as soon as a thread waits for it. */
  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public long nanoTime() {
          return clock.nanoTime();
        }

        @Override
        public Alarm schedule(Runnable task, Duration delay) {
          Alarm alarm = clock.schedule(task, delay);
          clock.advance(delay);
          return alarm;
        }
      };

  private static CustomResourceDefinition knot() {
    return CrdFile.find(CrdInstallationTest.class.getClassLoader(), List.of("crds/knots.yaml"))
        .get(0)
        .crd();
  }

  private static CustomResourceDefinition with(String type, String status) {
    return new CustomResourceDefinitionBuilder(knot())
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

  private void install(CrdInstallation installation) {
    installation.run(server, scheduler);
  }

  private void install() {
    install(CrdInstallation.of(List.of(knot())));
  }

  /** The server knows the CRD, and serves its version. */
  private void served() {
    server.found = () -> with("Established", "True");
    server.resources = () -> Set.of("knots", "knots/status");
  }

  private Duration elapsed() {
    return Duration.ofNanos(clock.nanoTime());
  }

  @Test
  void waitsUntilTheServerServesEachVersion() {
    long begun = clock.nanoTime();
    long established = begun + Duration.ofSeconds(10).toNanos();
    long listed = begun + Duration.ofSeconds(20).toNanos();
    server.found =
        () ->
            clock.nanoTime() - begun < 1_000_000_000L
                ? null
                : with("Established", clock.nanoTime() < established ? "False" : "True");
    server.resources = () -> clock.nanoTime() < listed ? Set.of() : Set.of("knots");
    install();
    assertThat(clock.nanoTime()).isBetween(listed, listed + Duration.ofSeconds(1).toNanos());
  }

  @Test
  void saysAfterHalfAMinuteWhichOneIsNotServedAndWhatIsKnown() {
    Duration before = elapsed();
    server.found = () -> with("Established", "False");
    assertThatThrownBy(this::install)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the API server does not serve the CRD knots.example.com after 30 s: Established is"
                + " False (Because, of the names); see: kubectl describe crd knots.example.com");
    assertThat(elapsed().minus(before)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
    server.found = CrdInstallationTest::knot;
    assertThatThrownBy(this::install).hasMessageContaining("it has no condition Established");
    server.found = () -> with("Established", "True");
    assertThatThrownBy(this::install)
        .hasMessageContaining("the CRD is established, but its version v1 is not served");
    server.found = () -> null;
    assertThatThrownBy(() -> install(KNOT.timeout(Duration.ofSeconds(7))))
        .hasMessageContaining("after 7 s: the CRD was deleted");
  }

  /** A CRD that somebody has just deleted takes the new one with it. */
  @Test
  void appliesTheCrdAgainThatWasBeingDeleted() {
    long gone = clock.nanoTime() + Duration.ofSeconds(5).toNanos();
    server.found =
        () -> {
          if (clock.nanoTime() < gone) {
            CustomResourceDefinition terminating = with("Established", "True");
            terminating.getMetadata().setDeletionTimestamp("2026-11-26T00:00:00Z");
            return terminating;
          }
          return server.applied.size() < 2 ? null : with("Established", "True");
        };
    server.resources = () -> Set.of("knots");
    install();
    assertThat(server.applied).hasSize(2);
  }

  @Test
  void saysAtOnceThatTheNamesAreTaken() {
    Duration before = elapsed();
    server.found = () -> with("NamesAccepted", "False");
    assertThatThrownBy(this::install)
        .hasMessageContaining("the names of the CRD knots.example.com are taken")
        .hasMessageContaining("of the names");
    assertThat(elapsed()).isEqualTo(before);
  }

  @Test
  void saysWhatToDoIfTheServerRefuses() {
    for (int code : new int[] {403, 409, 500}) {
      server.refusals.add(FakeCrds.failure(code));
      assertThatThrownBy(this::install)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the CRD knots.example.com")
          .hasMessageContaining("no\\u000away")
          .satisfies(
              thrown ->
                  assertThat(String.valueOf(thrown.getMessage()).contains("--print-rbac"))
                      .isEqualTo(code == 403));
    }
    server.found =
        () -> {
          throw FakeCrds.failure(403);
        };
    assertThatThrownBy(this::install).hasMessageContaining("denied");
  }

  @Test
  void saysWhyTheServerDidNotRespond() {
    server.refusals.add(
        new KubernetesClientException(
            "Operation: [patch] failed", new ConnectException("Connection refused: /127.0.0.1:1")));
    assertThatThrownBy(this::install)
        .hasMessage(
            "failed to apply the CRD knots.example.com: the API server did not respond: Connection"
                + " refused: /127.0.0.1:1");
  }

  @Test
  void namesTheFieldsThatOthersManage() {
    server.refusals.add(FakeCrds.conflict(".spec.scope", ".spec.a", ".spec.b", ".spec.c"));
    assertThatThrownBy(this::install)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("knots.example.com")
        .hasMessageContaining(".spec.scope (conflict with \"helm\")")
        .hasMessageContaining("and 1 more")
        .hasMessageContaining("--install-crds=force");
    assertThat(server.applied).extracting(FakeCrds.Applied::forced).containsExactly(false);
  }

  @Test
  void takesOverFieldsIfItIsToldTo() {
    served();
    server.refusals.add(FakeCrds.conflict(".spec.scope"));
    install(CrdInstallation.of(List.of(knot())).takeOver());
    assertThat(server.applied).extracting(FakeCrds.Applied::forced).containsExactly(false, true);
  }

  /** Without the conversion of a running webhook, stored objects would lose fields. */
  @Test
  void leavesTheConversionOfAnotherAsItIs() {
    CustomResourceConversion running =
        new CustomResourceConversionBuilder()
            .withStrategy("Webhook")
            .withNewWebhook()
            .withConversionReviewVersions("v1")
            .withNewClientConfig()
            .withUrl("https://here")
            .withCaBundle("Y2E=")
            .endClientConfig()
            .endWebhook()
            .build();
    server.resources = () -> Set.of("knots");
    server.found =
        () ->
            new CustomResourceDefinitionBuilder(with("Established", "True"))
                .editSpec()
                .withConversion(new CustomResourceConversionBuilder(running).build())
                .endSpec()
                .build();
    for (boolean takesOver : new boolean[] {false, true}) {
      server.applied.clear();
      server.refusals.add(
          takesOver
              ? FakeCrds.conflict(".spec.conversion.strategy", ".spec.scope")
              : FakeCrds.conflict(".spec.conversion.strategy"));
      CrdInstallation installation = CrdInstallation.of(List.of(knot()));
      install(takesOver ? installation.takeOver() : installation);
      FakeCrds.Applied last = server.applied.get(1);
      assertThat(last.forced()).isEqualTo(takesOver);
      CustomResourceConversion applied = last.crd().getSpec().getConversion();
      assertThat(applied.getStrategy()).isEqualTo("Webhook");
      assertThat(applied.getWebhook().getClientConfig().getUrl()).isEqualTo("https://here");
      assertThat(applied.getWebhook().getClientConfig().getCaBundle()).isNull();
    }
  }

  @Test
  void endsIfItsThreadIsInterrupted() {
    server.found = () -> with("Established", "False");
    Thread.currentThread().interrupt();
    assertThatThrownBy(this::install).hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void needsRightsToItsOwnCrdsOnly() {
    CrdInstallation one = CrdInstallation.of(List.of(knot()));
    assertThat(one.names()).containsExactly("knots.example.com");
    assertThat(one.permissions().all())
        .allMatch(right -> right.name().equals("knots.example.com"))
        .extracting(right -> right.verb())
        .containsExactlyInAnyOrder(Verb.GET, Verb.CREATE, Verb.PATCH);
    assertThat(CrdInstallation.of(List.of()).permissions().all()).isEmpty();
  }
}
