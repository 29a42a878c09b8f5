// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.registration.AdmissionWebhook;
import dev.windlass.webhook.registration.ConversionWebhook;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import dev.windlass.webhook.registration.WebhookTarget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version decides about the webhook configurations if replicas of two versions run. */
final class DecidingVersionTest {

  private static final ResourceType TENANT =
      new ResourceType("example.com", "v1", "tenants", "Tenant", false);

  private static final RegisteredObject VALIDATING =
      new RegisteredObject(RegisteredObject.VALIDATING, "tenants");

  private static final RegisteredObject MUTATING =
      new RegisteredObject(RegisteredObject.MUTATING, "tenants");

  /** The first version has a validator with a timeout of 5 s, and a defaulter. */
  private static final WebhookRegistration FIRST =
      registration(
          List.of(
              new AdmissionWebhook(AdmissionRule.of(TENANT), false),
              new AdmissionWebhook(AdmissionRule.of(TENANT), true)),
          List.of());

  /** The second version has two validators, one of them with another timeout, and no defaulter. */
  private static final WebhookRegistration SECOND =
      registration(
          List.of(
              new AdmissionWebhook(AdmissionRule.of(TENANT).timeout(Duration.ofSeconds(9)), false),
              new AdmissionWebhook(
                  AdmissionRule.of(TENANT).named("v2.example.com").path("/v2"), false)),
          List.of());

  private static final WebhookRegistration ONLY_CONVERSION =
      registration(List.of(), List.of(ConversionWebhook.of(TENANT)));

  private final TurnedClock clock = new TurnedClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().withoutThreads().clock(clock).start();
  private final Client client = FakeClient.of(server, Samples.namespace("shop"));

  private static WebhookRegistration registration(
      List<AdmissionWebhook> admission, List<ConversionWebhook> conversions) {
    return new WebhookRegistration(
        "tenants", WebhookTarget.service("shop", "hooks"), admission, conversions);
  }

  /** Starts a replica 1 s after the previous one. */
  private Replica start(String name, WebhookRegistration registration) {
    clock.advance(Duration.ofSeconds(1));
    return new Replica(name, client, registration, true, clock);
  }

  private List<String> writes() {
    return server.requests().stream()
        .filter(request -> request.verb().isWrite())
        .map(request -> request.verb() + " " + request.resource())
        .toList();
  }

  /** Runs replicas in turns until none of them writes, because a write triggers more runs. */
  @SafeVarargs
  private void runInTurns(Callable<Result>... replicas) throws Exception {
    for (int round = 0; round < 4; round++) {
      server.clearRequests();
      for (Callable<Result> replica : replicas) {
        var unused = replica.call();
      }
      if (writes().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("the replicas continue to write: " + writes());
  }

  private String yaml(RegisteredObject object) {
    return client.get(object.type(), object.key()).map(Serialization::asYaml).orElse("");
  }

  private void assertFirstDecides() {
    assertThat(yaml(VALIDATING)).contains("timeoutSeconds: 5").doesNotContain("v2.example.com");
    assertThat(yaml(MUTATING)).contains("mtenant.example.com");
  }

  private void assertSecondDecides() {
    assertThat(yaml(VALIDATING)).contains("timeoutSeconds: 9").contains("v2.example.com");
    assertThat(yaml(MUTATING)).isEmpty();
  }

  @Test
  void letsTheVersionThatStartedLaterDecide() throws Exception {
    Replica first = start("first", FIRST);
    first.settle();
    assertFirstDecides();
    Replica second = start("second", SECOND);
    runInTurns(first::settle, second::settle);
    assertSecondDecides();
    assertThat(first.status.readiness()).isEmpty();
    assertThat(second.status.readiness()).isEmpty();
    assertThat(first.settle().requeueAfter()).isEqualTo(DecidingVersion.BETWEEN_QUESTIONS);
    assertThat(second.settle().requeueAfter()).isEqualTo(CertificateReconciler.RECHECK);
  }

  @Test
  void leavesTheDecisionToAVersionThatAnswers() throws Exception {
    Replica first = start("first", FIRST);
    first.settle();
    Replica second = start("second", SECOND);
    runInTurns(first::settle, second::settle);
    for (int i = 0; i < 5; i++) {
      clock.advance(DecidingVersion.BETWEEN_QUESTIONS);
      server.clearRequests();
      first.settle();
      assertThat(writes())
          .as("a question")
          .containsExactly("PATCH validatingwebhookconfigurations.admissionregistration.k8s.io");
      runInTurns(first::settle, second::settle);
      clock.advance(DecidingVersion.ANSWER_TIME);
      server.clearRequests();
      first.settle();
      assertThat(writes()).as("an answer was given").isEmpty();
      assertSecondDecides();
    }
  }

  @Test
  void decidesWhenTheOtherVersionHasEnded() throws Exception {
    Replica first = start("first", FIRST);
    first.settle();
    Replica second = start("second", SECOND);
    runInTurns(first::settle, second::settle);
    clock.advance(DecidingVersion.BETWEEN_QUESTIONS);
    runInTurns(first::settle);
    assertSecondDecides();
    clock.advance(DecidingVersion.ANSWER_TIME);
    runInTurns(first::settle);
    assertFirstDecides();
    assertThat(first.settle().requeueAfter()).isEqualTo(CertificateReconciler.RECHECK);
  }

  @Test
  void doesNotKeepTheDeclarationsOfAnEarlierVersionThatWasRestarted() throws Exception {
    Replica second = start("second", SECOND);
    second.settle();
    Replica restarted = start("first", FIRST);
    runInTurns(restarted::settle, second::settle);
    assertFirstDecides();
    clock.advance(DecidingVersion.BETWEEN_QUESTIONS);
    runInTurns(second::settle);
    clock.advance(DecidingVersion.ANSWER_TIME);
    runInTurns(second::settle);
    assertSecondDecides();
  }

  /** A replica can be suspended while another one asks. */
  @Test
  void takesTheDecisionBackIfItWasSuspended() throws Exception {
    Replica first = start("first", FIRST);
    first.settle();
    Replica second = start("second", SECOND);
    runInTurns(first::settle, second::settle);
    clock.advance(DecidingVersion.BETWEEN_QUESTIONS);
    runInTurns(first::settle);
    clock.advance(DecidingVersion.ANSWER_TIME);
    runInTurns(first::settle);
    assertFirstDecides();
    runInTurns(first::settle, second::settle);
    assertSecondDecides();
  }

  @Test
  void writesNothingIfAllReplicasHaveTheSameDeclarations() throws Exception {
    Replica a = start("a", FIRST);
    a.settle();
    Replica b = start("b", FIRST);
    runInTurns(a::settle, b::settle);
    for (int i = 0; i < 5; i++) {
      clock.advance(DecidingVersion.BETWEEN_QUESTIONS);
      server.clearRequests();
      a.settle();
      b.settle();
      assertThat(writes()).isEmpty();
    }
  }

  @Test
  void finishesEvenIfTheVersionsHaveNoObjectInCommon() throws Exception {
    client.create(
        Serialization.unmarshal(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: tenants.example.com}
            spec:
              group: example.com
              scope: Cluster
              names: {plural: tenants, singular: tenant, kind: Tenant, listKind: TenantList}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """,
            GenericKubernetesResource.class));
    Replica first = start("first", FIRST);
    first.settle();
    Replica second = start("second", ONLY_CONVERSION);
    runInTurns(first::settle, second::settle);
    assertThat(yaml(VALIDATING)).doesNotContain("vtenant.example.com");
    assertThat(yaml(MUTATING)).doesNotContain("mtenant.example.com");
    assertThat(first.status.readiness()).isEmpty();
    clock.advance(DecidingVersion.BETWEEN_QUESTIONS);
    runInTurns(first::settle);
    clock.advance(DecidingVersion.ANSWER_TIME);
    runInTurns(first::settle);
    assertFirstDecides();
  }

  @Test
  void appliesToCertificatesFromADirectory(@TempDir Path directory) throws Exception {
    Replica first = start("first", FIRST);
    first.settle();
    for (String file : List.of(CertificateSecret.CA_CERTIFICATES, CertificateSecret.CHAIN)) {
      Files.write(
          directory.resolve(file), Base64.getDecoder().decode(first.secret().getData().get(file)));
    }
    Callable<Result> earlier = mounted(directory, FIRST);
    var unused = earlier.call();
    Callable<Result> later = mounted(directory, SECOND);
    runInTurns(earlier, later);
    assertSecondDecides();
  }

  private Callable<Result> mounted(Path directory, WebhookRegistration registration) {
    clock.advance(Duration.ofSeconds(1));
    MountedAuthorityReconciler reconciler =
        new MountedAuthorityReconciler(
            directory,
            new BundleInjection(registration, true, clock),
            new CertificateStatus(new ServerKeys(), clock),
            clock);
    Request request = new Request(Replica.SECRET);
    return () -> reconciler.reconcile(request, FakeContext.of(client, new ConfigMap()));
  }
}
