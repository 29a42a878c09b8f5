// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ForbiddenException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.tests.owned.Samples;
import dev.windlass.testsupport.Logs;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.certificates.CertificateSecret.UnusableSecretException;
import dev.windlass.webhook.registration.AdmissionWebhook;
import dev.windlass.webhook.registration.ClientConfigEntry;
import dev.windlass.webhook.registration.ConversionWebhook;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import dev.windlass.webhook.registration.WebhookTarget;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What replicas do with the Secret and the webhook configurations, one run at a time. */
final class CertificateReconcilerTest {

  private static final ResourceType TENANT =
      new ResourceType("example.com", "v1", "tenants", "Tenant", false);

  private static final Duration DELAY = CertificateValidity.DEFAULT.delay();

  private final WebhookTarget target = WebhookTarget.service("shop", "hooks");

  private final WebhookRegistration registration =
      new WebhookRegistration(
          "tenants",
          target,
          List.of(
              new AdmissionWebhook(AdmissionRule.of(TENANT), false),
              new AdmissionWebhook(AdmissionRule.of(TENANT), true)),
          List.of());

  private final TurnedClock clock = new TurnedClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().withoutThreads().clock(clock).start();
  private final Client client = FakeClient.of(server, Samples.namespace("shop"));
  private final Replica a = replica("a");
  private final Replica b = replica("b");
  private final Map<List<?>, Boolean> verdicts = new HashMap<>();

  private Replica replica(String name) {
    return new Replica(name, client, registration, clock);
  }

  @BeforeEach
  void registers() {
    registration.objects().forEach(object -> client.create(registration.desired(object)));
    server.clearRequests();
  }

  private GenericKubernetesResource live(RegisteredObject object) {
    return client.get(object.type(), object.key()).orElseThrow();
  }

  private void emptiesTheBundle(RegisteredObject object) {
    var unused =
        client.patch(
            live(object),
            ObjectPatch.json(
                "[{\"op\": \"remove\", \"path\": \"/webhooks/0/clientConfig/caBundle\"}]"));
  }

  private static void settles(Replica replica) {
    try {
      replica.settle();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private List<String> bundles() {
    return registration.objects().stream()
        .flatMap(object -> ClientConfigEntry.of(object.type(), live(object), target).stream())
        .map(ClientConfigEntry::caBundle)
        .toList();
  }

  /** Whether an API server that has read the configurations now accepts the replica. */
  private boolean isAccepted(Replica replica) {
    return bundles().stream().allMatch(bundle -> isTrusted(replica, bundle));
  }

  /** Verifies a chain and a bundle only once, because replicas keep theirs for many runs. */
  private boolean isTrusted(Replica replica, String bundle) {
    List<X509Certificate> chain = replica.chain();
    return verdicts.computeIfAbsent(
        List.of(chain, bundle), unseen -> CertificateChain.isTrusted(chain, bundle));
  }

  private List<String> writes() {
    return server.requests().stream()
        .filter(request -> request.verb().isWrite())
        .map(request -> request.verb() + " " + request.resource())
        .toList();
  }

  private int authorities() throws UnusableSecretException {
    return CertificateSecret.read(a.secret()).bundle().size();
  }

  private static String issuer(Replica replica) {
    return replica.chain().get(0).getIssuerX500Principal().getName();
  }

  private static final RequestMatcher PATCH_OF_CONFIGURATION =
      RequestMatcher.of(Verb.PATCH, ValidatingWebhookConfiguration.class);

  @Test
  void createsCertificatesAndServesThemBeforeTheApiServerCalls() throws Exception {
    assertThat(a.status.readiness()).contains("there is no certificate yet");
    List<Boolean> serving = new ArrayList<>();
    server.beforeNext(PATCH_OF_CONFIGURATION, () -> serving.add(a.isServing()));
    Result result = a.settle();
    assertThat(serving).containsExactly(true);
    assertThat(a.isServing()).isTrue();
    assertThat(isAccepted(a)).isTrue();
    assertThat(a.status.readiness()).isEmpty();
    assertThat(result.requeueAfter()).isEqualTo(CertificateReconciler.RECHECK);
    assertThat(SubjectNames.cover(a.chain().get(0), target.subjects())).isTrue();
    assertThat(writes())
        .containsExactly(
            "CREATE secrets",
            "PATCH validatingwebhookconfigurations.admissionregistration.k8s.io",
            "PATCH mutatingwebhookconfigurations.admissionregistration.k8s.io");
  }

  @Test
  void writesNothingOnceAllReplicasServe() throws Exception {
    a.settle();
    b.settle();
    a.settle();
    server.clearRequests();
    a.settle();
    b.settle();
    assertThat(writes()).isEmpty();
  }

  /** Both find no Secret; the create of one of them wins. */
  @Test
  void makesOneCaIfTwoReplicasStartAtOnce() throws Exception {
    server.beforeNext(RequestMatcher.of(Verb.CREATE, Secret.class), () -> settles(b));
    a.settle();
    assertThat(a.chain()).isEqualTo(b.chain());
    assertThat(isAccepted(a)).isTrue();
    assertThat(authorities()).isEqualTo(1);
  }

  /** Without a wait, because the API server trusts the CA already. */
  @Test
  void renewsTheCertificateInTimeAndTellsTheOthers() throws Exception {
    a.settle();
    b.settle();
    X509Certificate before = a.chain().get(0);
    clock.advance(Duration.ofDays(60).minusMinutes(10));
    assertThat(a.settle().requeueAfter()).isEqualTo(Duration.ofMinutes(10));
    clock.advance(Duration.ofMinutes(10));
    server.clearRequests();
    a.settle();
    assertThat(a.chain().get(0)).isNotEqualTo(before);
    assertThat(b.chain().get(0)).isEqualTo(before);
    assertThat(isAccepted(a) && isAccepted(b)).isTrue();
    b.settle();
    assertThat(b.chain()).isEqualTo(a.chain());
    assertThat(writes()).containsExactly("UPDATE secrets");
    assertThat(authorities()).isEqualTo(1);
  }

  @Test
  void publishesACaThatIsDueBeforeItIsUsed() throws Exception {
    a.settle();
    b.settle();
    String before = issuer(a);
    while (authorities() == 1) {
      clock.advance(Duration.ofDays(7));
      a.settle();
      b.settle();
      assertThat(isAccepted(a) && isAccepted(b)).isTrue();
    }
    assertThat(a.settle().requeueAfter()).as("until the new CA is used").isEqualTo(DELAY);
    assertThat(issuer(a)).isEqualTo(issuer(b)).isEqualTo(before);
    List<String> published = bundles();
    clock.advance(DELAY.minusSeconds(1));
    assertThat(a.settle().requeueAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(issuer(a)).isEqualTo(before);
    clock.advance(Duration.ofSeconds(1));
    a.settle();
    assertThat(issuer(a)).isNotEqualTo(before);
    assertThat(published)
        .as("an API server that has not seen a change since the publication")
        .allMatch(bundle -> isTrusted(a, bundle))
        .allMatch(bundle -> isTrusted(b, bundle));
    assertThat(isAccepted(a)).isTrue();
    assertThat(isAccepted(b)).as("with a certificate of the former CA").isTrue();
    b.settle();
    assertThat(b.chain()).isEqualTo(a.chain());
    assertThat(authorities()).as("the CA in use, and the former one").isEqualTo(2);
    assertThat(a.secret().getData()).doesNotContainKey("next.key");
    assertThat(a.secret().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void waitsFromTheTimeAtWhichEachBundleContainsTheNextCa() throws Exception {
    a.settle();
    String before = issuer(a);
    a.loseField("ca.key");
    server.fail(PATCH_OF_CONFIGURATION, 403, 100);
    assertThatThrownBy(a::settle).isInstanceOf(ForbiddenException.class);
    clock.advance(Duration.ofHours(1));
    server.healFaults();
    assertThat(a.settle().requeueAfter()).isEqualTo(DELAY);
    assertThat(issuer(a)).isEqualTo(before);
    assertThat(a.secret().getMetadata().getAnnotations())
        .containsEntry(CertificateSecret.PUBLISHED, clock.instant().toString());
    clock.advance(DELAY);
    a.settle();
    assertThat(issuer(a)).isNotEqualTo(before);
  }

  @Test
  void keepsOneFormerCa() throws Exception {
    for (int i = 0; i < 4; i++) {
      a.settle();
      a.loseField("ca.key");
      a.settle();
      clock.advance(DELAY);
      a.settle();
      assertThat(authorities()).isEqualTo(2);
    }
  }

  /** Both find the published CA; the update of one of them wins. */
  @Test
  void usesACaOnceIfTwoReplicasDoSoAtOnce() throws Exception {
    a.settle();
    b.settle();
    a.loseField("ca.key");
    a.settle();
    b.settle();
    clock.advance(DELAY);
    server.beforeNext(RequestMatcher.of(Verb.UPDATE, Secret.class), () -> settles(b));
    Result result = a.runOnce();
    assertThat(result.requeue()).as("a conflict").isTrue();
    a.settle();
    assertThat(a.chain()).isEqualTo(b.chain());
    assertThat(isAccepted(a)).isTrue();
  }

  @Test
  void goesOnToServeIfTheSecretIsDeleted() throws Exception {
    a.settle();
    b.settle();
    List<X509Certificate> before = a.chain();
    client.delete(Secret.class, Replica.SECRET);
    a.settle();
    b.settle();
    Replica fresh = replica("fresh");
    fresh.settle();
    for (Replica replica : List.of(a, b, fresh)) {
      assertThat(replica.chain()).isEqualTo(before);
      assertThat(replica.status.readiness()).isEmpty();
      assertThat(isAccepted(replica)).isTrue();
    }
    List<String> published = bundles();
    clock.advance(DELAY);
    a.settle();
    assertThat(a.chain()).isNotEqualTo(before);
    assertThat(published).allMatch(bundle -> isTrusted(a, bundle));
    assertThat(isAccepted(a) && isAccepted(b) && isAccepted(fresh)).isTrue();
    b.settle();
    fresh.settle();
    assertThat(a.chain()).isEqualTo(b.chain()).isEqualTo(fresh.chain());
    server.clearRequests();
    a.settle();
    b.settle();
    fresh.settle();
    assertThat(writes()).isEmpty();
  }

  @Test
  void waitsIfNoReplicaHasACertificateOfTheTrustedCa() throws Exception {
    a.settle();
    client.delete(Secret.class, Replica.SECRET);
    Replica fresh = replica("fresh");
    assertThat(fresh.settle().requeueAfter()).isEqualTo(DELAY);
    assertThat(fresh.isServing()).isFalse();
    assertThat(fresh.status.readiness().orElseThrow())
        .contains("there is no certificate yet")
        .contains("whose key is lost")
        .contains("after 2026-03-01T12:10:00Z")
        .contains("empty each caBundle");
    List<String> published = bundles();
    clock.advance(DELAY);
    fresh.settle();
    assertThat(published).allMatch(bundle -> isTrusted(fresh, bundle));
    assertThat(fresh.status.readiness()).isEmpty();
    assertThat(fresh.status.problem()).isEmpty();
  }

  @Test
  void servesTheCertificateOfAnotherReplicaMeanwhile() throws Exception {
    a.settle();
    client.delete(Secret.class, Replica.SECRET);
    Replica fresh = replica("fresh");
    fresh.settle();
    assertThat(fresh.isServing()).isFalse();
    a.settle();
    fresh.settle();
    assertThat(fresh.chain()).isEqualTo(a.chain());
    assertThat(fresh.status.readiness()).isEmpty();
    assertThat(isAccepted(fresh)).isTrue();
  }

  @Test
  void usesANewCaAtOnceIfTheTrustedCaHasExpired() throws Exception {
    a.settle();
    client.delete(Secret.class, Replica.SECRET);
    clock.advance(CertificateValidity.DEFAULT.authority());
    Replica fresh = replica("fresh");
    fresh.settle();
    assertThat(isAccepted(fresh)).isTrue();
    assertThat(authorities()).isEqualTo(1);
  }

  /** As the guide recommends after a leak. */
  @Test
  void usesANewCaAtOnceIfTheBundlesAreEmptied() throws Exception {
    a.settle();
    List<X509Certificate> leaked = CertificateSecret.read(a.secret()).bundle();
    client.delete(Secret.class, Replica.SECRET);
    registration.objects().forEach(this::emptiesTheBundle);
    Replica fresh = replica("fresh");
    fresh.settle();
    assertThat(isAccepted(fresh)).isTrue();
    assertThat(CertificateSecret.read(fresh.secret()).bundle()).doesNotContainAnyElementsOf(leaked);
  }

  @Test
  void limitsTheBundleHoweverOftenTheSecretIsDeleted() throws Exception {
    a.settle();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(2));
      client.delete(Secret.class, Replica.SECRET);
      replica("fresh-" + i).settle();
      a.settle();
      assertThat(authorities()).isLessThanOrEqualTo(CertificateRenewal.LONGEST_WHILE_PUBLISHED);
      assertThat(isAccepted(a)).isTrue();
    }
    clock.advance(DELAY);
    a.settle();
    assertThat(authorities()).isEqualTo(2);
  }

  @Test
  void replacesACertificateForOtherNames() throws Exception {
    a.settle();
    WebhookRegistration elsewhere =
        new WebhookRegistration(
            "tenants", WebhookTarget.service("shop", "other"), registration.admission(), List.of());
    Replica moved = new Replica("moved", client, elsewhere, clock);
    moved.settle();
    assertThat(issuer(moved)).isEqualTo(issuer(a));
    assertThat(SubjectNames.cover(moved.chain().get(0), elsewhere.target().subjects())).isTrue();
    assertThat(SubjectNames.cover(moved.chain().get(0), target.subjects())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls.crt", "tls.key", "ca.crt", "ca.key"})
  void replacesWhatIsMissing(String field) throws Exception {
    a.settle();
    a.loseField(field);
    a.settle();
    assertThat(isAccepted(a)).isTrue();
    clock.advance(DELAY);
    a.settle();
    assertThat(CertificateSecret.read(a.secret()).serving()).isPresent();
    assertThat(CertificateSecret.read(a.secret()).authority()).isPresent();
    assertThat(isAccepted(a)).isTrue();
    assertThat(a.status.readiness()).isEmpty();
  }

  /** For the fast one, each certificate is due; for the other one, each is not valid yet. */
  @ParameterizedTest
  @ValueSource(ints = {70, 500})
  void doesNotRenewInTurnsIfAClockIsWrong(int daysAhead) throws Exception {
    TurnedClock fast = new TurnedClock(clock.instant().plus(Duration.ofDays(daysAhead)));
    Replica ahead = new Replica("ahead", client, registration, fast);
    a.settle();
    server.clearRequests();
    for (int i = 0; i < 5; i++) {
      ahead.settle();
      a.settle();
      assertThat(isAccepted(a)).isTrue();
      assertThat(CertificateValidity.isValid(a.chain().get(0), clock.instant())).isTrue();
    }
    assertThat(writes()).filteredOn("UPDATE secrets"::equals).hasSizeLessThanOrEqualTo(3);
    assertThat(a.status.readiness()).isEmpty();
    fast.advance(Duration.ofDays(-daysAhead)); // somebody corrects the clock
    ahead.settle();
    a.settle();
    ahead.settle();
    assertThat(isAccepted(a) && isAccepted(ahead)).isTrue();
    assertThat(a.chain()).isEqualTo(ahead.chain());
    assertThat(CertificateValidity.isValid(a.chain().get(0), clock.instant())).isTrue();
  }

  @Test
  void neverOverwritesTheSecretOfSomebodyElse() throws Exception {
    Secret foreign =
        client.create(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName(Replica.SECRET.name())
                .endMetadata()
                .withData(Map.of("tls.key", "Y2FuYXJ5"))
                .build());
    a.settle();
    assertThat(a.secret()).isEqualTo(foreign);
    assertThat(a.isServing()).isFalse();
    assertThat(a.status.readiness().orElseThrow())
        .contains("there is no certificate yet")
        .contains("shop/hooks-webhook-certificates")
        .contains("choose another name");
    client.delete(Secret.class, Replica.SECRET);
    a.settle();
    assertThat(a.status.readiness()).isEmpty();
  }

  @Test
  void goesOnToServeIfTheSecretBecomesUnusable() throws Exception {
    a.settle();
    Secret garbage = new SecretBuilder(a.secret()).addToData("tls.crt", "Z2FyYmFnZQ==").build();
    var unused = client.update(garbage);
    a.settle();
    a.settle();
    assertThat(a.events).as("one Event").hasSize(1).first().asString().contains("tls.crt");
    assertThat(a.secret().getData()).isEqualTo(garbage.getData());
    assertThat(isAccepted(a)).isTrue();
    assertThat(a.status.readiness()).isEmpty();
    clock.advance(Duration.ofDays(90));
    assertThat(a.status.readiness().orElseThrow())
        .contains("expired at 2026-05-30T12:00:00Z")
        .contains("tls.crt");
  }

  @Test
  void restoresABundleThatSomebodyHasChanged() throws Exception {
    a.settle();
    List<String> before = bundles();
    emptiesTheBundle(registration.objects().get(0));
    assertThat(bundles()).isNotEqualTo(before);
    a.settle();
    assertThat(bundles()).isEqualTo(before);
  }

  @Test
  void changesOnlyEntriesThatReferToTheProgram() throws Exception {
    RegisteredObject object = registration.objects().get(0);
    var unused =
        client.patch(
            live(object),
            ObjectPatch.json(
                "[{\"op\": \"add\", \"path\": \"/webhooks/0\", \"value\": {\"name\": \"x.y.z\","
                    + " \"clientConfig\": {\"url\": \"https://example.com\"},"
                    + " \"sideEffects\": \"None\", \"admissionReviewVersions\": [\"v1\"]}}]"));
    a.settle();
    String yaml = Serialization.asYaml(live(object));
    assertThat(yaml.lines().map(String::strip))
        .filteredOn(l -> l.startsWith("caBundle:"))
        .hasSize(1);
    assertThat(bundles()).hasSize(2).doesNotContain("");
  }

  /** A replica that was suspended must not put an old bundle over a new one. */
  @Test
  void doesNotReplaceANewerBundle() throws Exception {
    a.settle();
    b.settle();
    a.loseField("ca.key");
    server.beforeNext(
        RequestMatcher.of(Verb.GET, Secret.class),
        () -> settles(b)); // changes the CA, after a has read the configurations
    Result result = a.runOnce();
    assertThat(result.requeue() || result.isAtOnce() || isAccepted(a)).isTrue();
    a.settle();
    assertThat(isAccepted(a) && isAccepted(b)).isTrue();
  }

  @Test
  void isNotReadyWithoutItsConfigurationsButServes() throws Exception {
    RegisteredObject missing = registration.objects().get(1);
    client.delete(missing.type(), missing.key(), DeleteParams.DEFAULT);
    a.settle();
    assertThat(a.isServing()).isTrue();
    assertThat(a.status.readiness().orElseThrow())
        .contains("MutatingWebhookConfiguration tenants does not exist")
        .contains("--print-manifests");
    client.create(registration.desired(missing));
    a.settle();
    assertThat(a.status.readiness()).isEmpty();
  }

  @Test
  void writesTheOtherConfigurationsIfOneRefuses() throws Exception {
    server.fail(PATCH_OF_CONFIGURATION, 403, 100);
    assertThatThrownBy(a::settle).isInstanceOf(ForbiddenException.class);
    assertThat(a.isServing()).isTrue();
    assertThat(bundles().get(0)).isEmpty();
    assertThat(bundles().get(1)).isNotEmpty();
    assertThat(a.status.readiness().orElseThrow())
        .contains("ValidatingWebhookConfiguration tenants could not be changed");
    server.healFaults();
    a.settle();
    assertThat(a.status.readiness()).isEmpty();
  }

  @Test
  void keepsTheOldCertificateIfTheApiServerCannotTrustTheNewOne() throws Exception {
    a.settle();
    List<X509Certificate> before = a.chain();
    emptiesTheBundle(registration.objects().get(0));
    clock.advance(Duration.ofDays(60)); // the next certificate is due
    server.fail(PATCH_OF_CONFIGURATION, 403, 100);
    assertThatThrownBy(a::settle).isInstanceOf(ForbiddenException.class);
    assertThat(a.chain()).isEqualTo(before);
    server.healFaults();
    a.settle();
    assertThat(a.chain()).isNotEqualTo(before);
    assertThat(isAccepted(a)).isTrue();
  }

  /** What an API server trusts that has read the configurations at a certain time. */
  private record Seen(Instant time, List<String> bundles) {}

  /**
   * Single runs of three replicas in any order, while the Secret is deleted time and again. Each
   * API server has read the configurations within the last 10 minutes.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void acceptsEachReplicaInAnyOrderOfRuns(long seed) throws Exception {
    Random random = new Random(seed);
    List<Replica> replicas = new ArrayList<>(List.of(a, b));
    a.settle();
    b.settle();
    List<Seen> history = new ArrayList<>(List.of(new Seen(clock.instant(), bundles())));
    for (int turn = 0; turn < 3; turn++) {
      client.delete(Secret.class, Replica.SECRET);
      replicas.add(replica("fresh-" + turn));
      String before = issuer(a);
      for (int i = 0; i < 40; i++) {
        clock.advance(Duration.ofSeconds(random.nextInt(60)));
        var unused = replicas.get(random.nextInt(replicas.size())).runOnce();
        Instant oldest = clock.instant().minus(DELAY);
        while (history.size() > 1 && !history.get(1).time().isAfter(oldest)) {
          history.remove(0);
        }
        history.add(new Seen(clock.instant(), bundles()));
        for (Replica replica : replicas) {
          if (replica.isServing()) {
            assertThat(history)
                .as("turn %d, run %d with seed %d", turn, i, seed)
                .allMatch(
                    seen -> seen.bundles().stream().allMatch(bundle -> isTrusted(replica, bundle)));
          }
        }
      }
      clock.advance(DELAY);
      for (Replica replica : replicas) {
        replica.settle();
      }
      for (Replica replica : replicas) {
        replica.settle();
      }
      assertThat(issuer(a)).isNotEqualTo(before);
      assertThat(authorities()).isEqualTo(2);
      Replica stopped = replicas.get(random.nextInt(replicas.size()));
      if (stopped != a) {
        replicas.remove(stopped);
      }
    }
  }

  @Test
  void reportsADifferentConfigurationButLeavesItAlone() throws Exception {
    RegisteredObject object = registration.objects().get(0);
    var unused =
        client.patch(
            live(object),
            ObjectPatch.json(
                "[{\"op\": \"replace\", \"path\": \"/webhooks/0/timeoutSeconds\", \"value\": 9}]"));
    try (Logs logs = Logs.by(Level.WARN, "dev.windlass.webhook")) {
      a.settle();
      a.settle();
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .contains("webhooks[vtenant.example.com].timeoutSeconds", "--print-manifests");
    }
    assertThat(Serialization.asYaml(live(object))).contains("timeoutSeconds: 9");
    assertThat(a.status.readiness()).isEmpty();
  }

  private void createDefinition() {
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
  }

  @Test
  void configuresTheConversionOfADefinition() throws Exception {
    WebhookRegistration conversion =
        new WebhookRegistration(
            "tenants", target, List.of(), List.of(ConversionWebhook.of(TENANT)));
    RegisteredObject definition = conversion.objects().get(0);
    Replica applying = new Replica("a", client, conversion, clock);
    applying.settle();
    assertThat(applying.status.readiness().orElseThrow())
        .contains("CustomResourceDefinition tenants.example.com does not exist");
    createDefinition();
    applying.settle();
    assertThat(applying.status.readiness()).isEmpty();
    assertThat(ClientConfigEntry.of(definition.type(), live(definition), target))
        .singleElement()
        .satisfies(entry -> assertThat(entry.caBundle()).isNotEmpty());
    assertThat(Serialization.asYaml(live(definition))).contains("group: \"example.com\"");
    var unused =
        client.patch(
            live(definition),
            ObjectPatch.json(
                "[{\"op\": \"replace\", \"path\": \"/spec/conversion\","
                    + " \"value\": {\"strategy\": \"None\"}}]"));
    applying.settle();
    assertThat(ClientConfigEntry.of(definition.type(), live(definition), target))
        .singleElement()
        .satisfies(entry -> assertThat(entry.caBundle()).isNotEmpty());
    server.clearRequests();
    applying.settle();
    assertThat(writes()).isEmpty();
  }

  @Test
  void leavesAConversionByAnotherProgramAlone() throws Exception {
    WebhookRegistration conversion =
        new WebhookRegistration(
            "tenants", target, List.of(), List.of(ConversionWebhook.of(TENANT)));
    RegisteredObject definition = conversion.objects().get(0);
    createDefinition();
    new Replica(
            "other",
            client,
            new WebhookRegistration(
                "tenants",
                WebhookTarget.service("shop", "other"),
                List.of(),
                List.of(ConversionWebhook.of(TENANT))),
            clock)
        .settle();
    GenericKubernetesResource before = live(definition);
    Replica replica = new Replica("a", client, conversion, clock);
    replica.settle();
    assertThat(live(definition)).isEqualTo(before);
    assertThat(replica.status.readiness().orElseThrow())
        .contains("does not refer to the Service shop/hooks");
  }

  @Test
  void countsHandshakesUnderTheCurrentCertificate() throws Exception {
    a.settle();
    X509Certificate before = a.chain().get(0);
    a.status.accepted(before);
    a.status.accepted(before);
    assertThat(a.status.acceptedHandshakes()).isEqualTo(2);
    clock.advance(Duration.ofDays(60));
    a.settle();
    a.status.accepted(before);
    assertThat(a.status.acceptedHandshakes()).isZero();
    assertThat(a.status.timeLeft()).isEqualTo(Duration.ofDays(90));
  }

  @Test
  void readsTheKeyOfItsSecretOnly() throws Exception {
    a.settle();
    assertThat(server.requests())
        .filteredOn(request -> request.resource().equals("secrets"))
        .extracting(RecordedRequest::toString)
        .containsOnly("get secrets " + Replica.SECRET, "create secrets shop");
  }
}
