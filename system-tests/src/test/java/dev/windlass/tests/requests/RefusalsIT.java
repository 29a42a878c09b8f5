// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ComponentStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a real API server says when it refuses, is understood as {@code docs} tell it. */
@Timeout(120)
final class RefusalsIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private static KubernetesClient admin;

  @BeforeAll
  static void connects() {
    admin = kubernetes.server().newClient();
  }

  @AfterAll
  static void removesThePolicyAndTheWebhook() {
    var registrations = admin.admissionRegistration().v1();
    registrations.validatingAdmissionPolicyBindings().withName("never").delete();
    registrations.validatingAdmissionPolicies().withName("never").delete();
    registrations.validatingWebhookConfigurations().withName("absent").delete();
  }

  private static ConfigMap map(String namespace, String name) {
    return new ConfigMapBuilder(Samples.map(namespace, name)).addToData("k", "v").build();
  }

  private static void createNamespace(String name) {
    admin.resource(Samples.namespace(name)).create();
  }

  private static void expect(Config config, FailureAdvice advice, Consumer<Client> request) {
    try (KubernetesClient kubernetes = new KubernetesClientBuilder().withConfig(config).build();
        Manager manager = Manager.builder().client(kubernetes).build()) {
      assertThatThrownBy(() -> request.accept(manager.client()))
          .isInstanceOf(ApiException.class)
          .hasMessageEndingWith(". " + advice);
    }
  }

  private static void expect(FailureCause problem, Consumer<Client> request) {
    expect(kubernetes.server().clientConfig(), FailureAdvice.of(problem), request);
  }

  /** Until the server has heard of the rule that it is to follow. */
  private static void expectSoon(FailureCause problem, Consumer<Client> request) {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> expect(problem, request));
  }

  @Test
  void aRightThatIsMissing() {
    Config nobody = kubernetes.server().userConfig("nobody");
    FailureAdvice advice =
        FailureAdvice.of(FailureCause.FORBIDDEN)
            .about(new RequiredPermission(List.of("update"), "configmaps", "", "default"));
    expect(nobody, advice, client -> client.update(map("default", "a")));
  }

  @Test
  void credentialsThatTheServerDoesNotKnow() {
    Config trusted = kubernetes.server().clientConfig();
    Config stranger =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(trusted.getMasterUrl())
            .withCaCertData(trusted.getCaCertData())
            .withOauthToken("nobody-knows-this")
            .build();
    expect(
        stranger,
        FailureAdvice.of(FailureCause.UNAUTHORIZED),
        client -> client.get(ConfigMap.class, ObjectKey.of("default", "a")));
  }

  @Test
  void aServerThatIsNotTrusted() {
    Config strange =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(kubernetes.server().clientConfig().getMasterUrl())
            .withRequestRetryBackoffLimit(0)
            .build();
    expect(
        strange,
        FailureAdvice.of(FailureCause.TLS_NOT_TRUSTED),
        client -> client.get(ConfigMap.class, ObjectKey.of("default", "a")));
  }

  @Test
  void aServerThatIsNotThere() {
    Config nowhere =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:1/")
            .withRequestRetryBackoffLimit(0)
            .build();
    expect(
        nowhere,
        FailureAdvice.of(FailureCause.UNREACHABLE),
        client -> client.get(ConfigMap.class, ObjectKey.of("default", "a")));
  }

  /** The ServiceAccount and its subresource exist; the server names the Pod. */
  @Test
  void aMissingObjectThatIsNotTheOneOfTheRequest() {
    admin.resource(Samples.serviceAccount("default", "bound")).create();
    TokenRequest request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withNewBoundObjectRef("v1", "Pod", "bound", null)
            .endSpec()
            .build();
    try (Manager manager = Manager.builder().config(kubernetes.server().clientConfig()).build()) {
      assertThatThrownBy(
              () ->
                  manager
                      .client()
                      .subresource("token")
                      .create(
                          ServiceAccount.class,
                          ObjectKey.of("default", "bound"),
                          request,
                          TokenRequest.class))
          .isExactlyInstanceOf(ApiException.class)
          .hasMessageContaining("pods \"bound\" not found")
          .hasMessageEndingWith(FailureAdvice.of(FailureCause.NOT_FOUND).toString());
    }
  }

  /** It can be listed, which does not keep a cache up to date. */
  @Test
  void aTypeWithoutWatch() {
    try (Manager manager =
        Manager.builder()
            .config(kubernetes.server().clientConfig())
            .checkPermissions(false)
            .build()) {
      var cache = manager.cache(ComponentStatus.class);
      manager.start();
      eventually()
          .untilAsserted(
              () ->
                  assertThat(cache.problem())
                      .hasValueSatisfying(
                          problem ->
                              assertThat(problem.toString())
                                  .contains(FailureCause.NO_WATCH.sentence())));
      assertThat(cache.hasSynced()).isFalse();
      assertThat(manager.client().uncached().list(ComponentStatus.class, ListParams.ALL))
          .isNotEmpty();
    }
  }

  @Test
  void anObjectThatBreaksTheRules() {
    expect(FailureCause.INVALID, client -> client.create(map("default", "UPPER")));
  }

  @Test
  void anObjectThatExistsAndOneThatHasChanged() {
    admin.resource(map("default", "there")).create();
    expect(FailureCause.ALREADY_EXISTS, client -> client.create(map("default", "there")));
    ConfigMap old = map("default", "there");
    old.getMetadata().setResourceVersion("1");
    expect(FailureCause.CONFLICT, client -> client.update(old));
  }

  @Test
  void aFieldOfAnotherManager() {
    admin.resource(map("default", "owned")).fieldManager("other").serverSideApply();
    ConfigMap mine = map("default", "owned");
    mine.setData(Map.of("k", "mine"));
    expect(
        FailureCause.FIELD_CONFLICT,
        client -> client.withFieldOwner("me").withoutForce().apply(mine));
  }

  @Test
  void aNamespaceThatIsBeingDeleted() {
    createNamespace("ending");
    admin.namespaces().withName("ending").delete(); // and nobody is there to finish it
    expect(FailureCause.NAMESPACE_TERMINATING, client -> client.create(map("ending", "a")));
  }

  @Test
  void aQuotaThatIsUsedUp() {
    createNamespace("full");
    Map<String, Quantity> none = Map.of("count/configmaps", new Quantity("0"));
    ResourceQuota quota =
        admin
            .resource(
                new ResourceQuotaBuilder()
                    .withNewMetadata()
                    .withNamespace("full")
                    .withName("q")
                    .endMetadata()
                    .withNewSpec()
                    .withHard(none)
                    .endSpec()
                    .build())
            .create();
    ResourceQuota counted =
        new ResourceQuotaBuilder(quota)
            .withNewStatus()
            .withHard(none)
            .withUsed(none)
            .endStatus()
            .build();
    admin.resource(counted).updateStatus();
    expectSoon(FailureCause.QUOTA_EXCEEDED, client -> client.create(map("full", "a" + next++)));
  }

  private static int next;

  @Test
  void aPolicyThatSaysNo() {
    createNamespace("strict");
    admin
        .resource(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: never}
            spec:
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
              validations:
              - {expression: "false", message: never}
            """)
        .create();
    admin
        .resource(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: never}
            spec:
              policyName: never
              validationActions: [Deny]
              matchResources:
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: strict}}
            """)
        .create();
    expectSoon(
        FailureCause.ADMISSION_REFUSED, client -> client.create(map("strict", "a" + next++)));
  }

  @Test
  void aWebhookThatIsNotThere() {
    createNamespace("hooked");
    admin
        .resource(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: absent}
            webhooks:
            - name: absent.windlass.dev
              admissionReviewVersions: [v1]
              sideEffects: None
              failurePolicy: Fail
              timeoutSeconds: 2
              clientConfig: {url: "https://127.0.0.1:1/"}
              namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: hooked}}
              rules:
              - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
            """)
        .create();
    expectSoon(FailureCause.WEBHOOK_FAILED, client -> client.create(map("hooked", "a" + next++)));
  }
}
