// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Samples;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The embedded server has no connections to Pods, and an apply replaces the list of webhooks as a
 * whole, so these are tested here only.
 */
final class AdmissionKindsIT extends AdmissionKindsContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  AdmissionKindsIT() throws IOException {}

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @AfterAll
  static void removesTheCertificates() {
    try (KubernetesClient admin = kubernetes.server().newClient()) {
      WebhookReplica.uninstall(admin);
    }
  }

  /** There is no kubelet, but the API server asks the webhook before it would connect to one. */
  @Test
  void aRuleForConnectDeniesExec() {
    kubectl.resource(Samples.pod(configMap("web").getMetadata())).create();
    validate(
        AdmissionRule.of(new ResourceType("", "v1", "pods", "Pod", true))
            .subresource("exec")
            .on(Operation.CONNECT),
        "nobody enters this Pod");

    assertThatThrownBy(
            () ->
                kubectl.raw(
                    "/api/v1/namespaces/" + NAMESPACE + "/pods/web/exec?command=ls&stdout=true",
                    "POST",
                    null))
        .hasMessageContaining("nobody enters this Pod");
    assertThat(seen)
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.operation()).isEqualTo(Operation.CONNECT);
              assertThat(request.subresource()).isEqualTo("exec");
              assertThat(request.name()).isEqualTo("web");
              GenericKubernetesResource options = (GenericKubernetesResource) request.object();
              assertThat(options.getKind()).isEqualTo("PodExecOptions");
              assertThat(options.<List<String>>get("command")).containsExactly("ls");
              assertThat(request.oldObject()).isEmpty();
            });
  }

  private ValidatingWebhookConfiguration validating() {
    return kubectl
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName(WebhookReplica.CONFIGURATION)
        .get();
  }

  private static AdmissionRule<ConfigMap> rule(String name) {
    return AdmissionRule.of(ConfigMap.class)
        .named(name + ".example.com")
        .path("/" + name)
        .inNamespacesWith(here());
  }

  @Test
  void theManifestsOfALaterVersionRemoveWhatItNoLongerDeclares() {
    start(
        builder ->
            builder
                .validate(rule("first"), request -> Verdict.allow())
                .validate(rule("second"), request -> Verdict.allow()));
    ValidatingWebhookConfiguration before = validating();
    before
        .getWebhooks()
        .add(
            new ValidatingWebhookBuilder(before.getWebhooks().get(0))
                .withName("foreign.example.com")
                .editClientConfig()
                .withUrl("https://127.0.0.1:1/foreign")
                .endClientConfig()
                .withFailurePolicy("Ignore")
                .build());
    kubectl.resource(before).update();

    start(builder -> builder.validate(rule("first"), request -> Verdict.allow()));

    eventually()
        .untilAsserted(
            () ->
                assertThat(validating().getWebhooks())
                    .extracting(webhook -> webhook.getName())
                    .containsExactlyInAnyOrder("first.example.com", "foreign.example.com"));
    kubectl.resource(configMap("accepted")).create();
  }
}
