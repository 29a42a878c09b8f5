// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.object.ResourceType;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.FailurePolicy;
import dev.windlass.webhook.admission.Operation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WebhookRegistrationTest {

  private static final ResourceType TENANT =
      new ResourceType("example.com", "v1", "tenants", "Tenant", false);

  private static final WebhookTarget SERVICE = WebhookTarget.service("shop", "hooks");

  private static AdmissionWebhook validating(AdmissionRule<?> rule) {
    return new AdmissionWebhook(rule, false);
  }

  private static AdmissionWebhook mutating(AdmissionRule<?> rule) {
    return new AdmissionWebhook(rule, true);
  }

  private static WebhookRegistration of(AdmissionWebhook... webhooks) {
    return new WebhookRegistration("tenants", SERVICE, List.of(webhooks), List.of());
  }

  private static String yaml(WebhookRegistration registration) {
    StringBuilder all = new StringBuilder();
    registration
        .objects()
        .forEach(object -> all.append(Serialization.asYaml(registration.desired(object))));
    return all.toString();
  }

  @Test
  void namesWebhooksAndPathsAsControllerRuntimeDoes() {
    AdmissionWebhook tenant = validating(AdmissionRule.of(TENANT));
    assertThat(tenant.name()).isEqualTo("vtenant.example.com");
    assertThat(tenant.path()).isEqualTo("/validate-example-com-v1-tenant");
    AdmissionWebhook pod = mutating(AdmissionRule.of(Pod.class));
    assertThat(pod.name()).isEqualTo("mpod.core.k8s.io");
    assertThat(pod.path()).isEqualTo("/mutate--v1-pod");
    AdmissionWebhook scale = validating(AdmissionRule.of(Deployment.class).subresource("scale"));
    assertThat(scale.name()).isEqualTo("vdeployment-scale.apps.k8s.io");
    assertThat(scale.path()).isEqualTo("/validate-apps-v1-deployment-scale");
    AdmissionWebhook all = validating(AdmissionRule.of(Deployment.class).subresource("*"));
    assertThat(all.name()).isEqualTo("vdeployment-any.apps.k8s.io");
    assertThat(all.path()).isEqualTo("/validate-apps-v1-deployment-any");
    assertThat(yaml(of(all))).contains("deployments/*");
  }

  @Test
  void writesSafeDefaults() {
    assertThat(yaml(of(validating(AdmissionRule.of(TENANT)))))
        .isEqualTo(
            """
            ---
            apiVersion: "admissionregistration.k8s.io/v1"
            kind: "ValidatingWebhookConfiguration"
            metadata:
              name: "tenants"
            webhooks:
            - name: "vtenant.example.com"
              rules:
              - apiGroups:
                - "example.com"
                apiVersions:
                - "v1"
                operations:
                - "CREATE"
                - "UPDATE"
                resources:
                - "tenants"
                scope: "Cluster"
              failurePolicy: "Fail"
              matchPolicy: "Equivalent"
              namespaceSelector: {}
              objectSelector: {}
              sideEffects: "None"
              timeoutSeconds: 5
              clientConfig:
                service:
                  namespace: "shop"
                  name: "hooks"
                  path: "/validate-example-com-v1-tenant"
                  port: 443
              admissionReviewVersions:
              - "v1"
            """);
  }

  @Test
  void writesWhatTheRuleSays() {
    AdmissionRule<?> rule =
        AdmissionRule.of(Deployment.class)
            .on(Operation.CREATE, Operation.DELETE)
            .named("d.example.com")
            .path("/d")
            .failurePolicy(FailurePolicy.IGNORE)
            .timeout(Duration.ofSeconds(7))
            .inNamespacesWith(new LabelSelectorBuilder().addToMatchLabels("team", "blue").build())
            .objectsWith(
                new LabelSelectorBuilder()
                    .addToMatchExpressions(
                        new LabelSelectorRequirement("app", "NotIn", List.of("x")))
                    .build())
            .onlyIf("not-me", "request.userInfo.username != 'me'")
            .reinvokedIfNeeded();
    assertThat(yaml(of(mutating(rule))))
        .contains(
            "kind: \"MutatingWebhookConfiguration\"",
            "name: \"d.example.com\"",
            "- \"DELETE\"",
            "scope: \"Namespaced\"",
            "failurePolicy: \"Ignore\"",
            "team: \"blue\"",
            "operator: \"NotIn\"",
            "timeoutSeconds: 7",
            "reinvocationPolicy: \"IfNeeded\"",
            "expression: \"request.userInfo.username != 'me'\"",
            "path: \"/d\"");
  }

  /** Other installations of the program decide about objects in other namespaces. */
  @Test
  void selectsTheNamespaceThatTheProgramWatches() {
    LabelSelectorRequirement shop =
        new LabelSelectorRequirement("kubernetes.io/metadata.name", "In", List.of("shop"));
    LabelSelector blue = new LabelSelectorBuilder().addToMatchLabels("team", "blue").build();
    AdmissionRule<?> rule = AdmissionRule.of(Deployment.class);
    assertThat(validating(rule).namespaces()).isEmpty();
    assertThat(validating(rule).watching("shop").namespaces())
        .hasValueSatisfying(
            selector -> assertThat(selector.getMatchExpressions()).containsExactly(shop));
    rule.inNamespacesWith(blue);
    assertThat(validating(rule).watching("").namespaces()).hasValue(blue);
    assertThat(validating(rule).watching("shop").namespaces())
        .hasValue(new LabelSelectorBuilder(blue).addToMatchExpressions(shop).build());
    rule.inNamespacesWith(new LabelSelector());
    assertThat(validating(rule).watching("shop").namespaces()).hasValue(new LabelSelector());
    assertThat(validating(AdmissionRule.of(TENANT)).watching("shop").namespaces())
        .as("objects without a namespace")
        .isEmpty();
  }

  @Test
  void writesTheConversionOfADefinitionOnly() {
    WebhookRegistration registration =
        new WebhookRegistration(
            "tenants",
            new WebhookTarget.UrlTarget(URI.create("https://127.0.0.1:9443/")),
            List.of(),
            List.of(ConversionWebhook.of(TENANT)));
    assertThat(yaml(registration))
        .isEqualTo(
            """
            ---
            apiVersion: "apiextensions.k8s.io/v1"
            kind: "CustomResourceDefinition"
            metadata:
              name: "tenants.example.com"
            spec:
              conversion:
                strategy: "Webhook"
                webhook:
                  clientConfig:
                    url: "https://127.0.0.1:9443/convert"
                  conversionReviewVersions:
                  - "v1"
            """);
    assertThat(registration.target().subjects()).containsExactly("127.0.0.1");
  }

  @Test
  void printsTheServiceAndTheConfigurations() {
    var manifests =
        WebhookManifests.of(
            of(validating(AdmissionRule.of(TENANT)), mutating(AdmissionRule.of(TENANT))),
            Map.of("app", "hooks"),
            9443);
    assertThat(manifests)
        .extracting(object -> object.getKind() + " " + object.getMetadata().getName())
        .containsExactly(
            "Service hooks",
            "ValidatingWebhookConfiguration tenants",
            "MutatingWebhookConfiguration tenants");
    assertThat(Serialization.asYaml(manifests.get(0)))
        .contains("targetPort: 9443", "port: 443", "app: \"hooks\"", "namespace: \"shop\"");
  }

  @Test
  void rejectsNamesThatTheApiServerRejects() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(validating(AdmissionRule.of(TENANT).named("two.segments"))))
        .withMessageContaining("two.segments")
        .withMessageContaining("three segments");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WebhookRegistration("Tenants", SERVICE, List.of(), List.of()))
        .withMessageContaining("'Tenants'");
  }

  @Test
  void rejectsDoubledNamesAndPaths() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                of(
                    validating(AdmissionRule.of(TENANT)),
                    validating(AdmissionRule.of(TENANT).path("/other"))))
        .withMessageContaining("two webhooks have the name vtenant.example.com");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                of(
                    validating(AdmissionRule.of(TENANT)),
                    validating(AdmissionRule.of(TENANT).named("other.example.com"))))
        .withMessageContaining("two webhooks have the path /validate-example-com-v1-tenant");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new WebhookRegistration(
                    "tenants",
                    SERVICE,
                    List.of(validating(AdmissionRule.of(TENANT).path("/convert"))),
                    List.of(ConversionWebhook.of(TENANT))))
        .withMessageContaining("/convert");
  }

  @Test
  void rejectsTargetsThatTheApiServerRejects() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookTarget.service("shop", "Hooks"))
        .withMessageContaining("'Hooks'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WebhookTarget.UrlTarget(URI.create("http://127.0.0.1:9443")))
        .withMessageContaining("https");
  }

  @Test
  void findsOnlyItsOwnEntries() {
    WebhookRegistration registration = of(validating(AdmissionRule.of(TENANT)));
    RegisteredObject object = registration.objects().get(0);
    GenericKubernetesResource live =
        Serialization.unmarshal(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: tenants}
            webhooks:
            - {name: a.b.c, clientConfig: {service: {namespace: shop, name: other, path: /x}}}
            - {name: d.e.f, clientConfig: {service: {namespace: shop, name: hooks, path: /y}, caBundle: Q0E=}}
            - {name: g.h.i, clientConfig: {url: "https://example.com/"}}
            """,
            GenericKubernetesResource.class);
    assertThat(ClientConfigEntry.of(object.type(), live, SERVICE))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.path()).isEqualTo("/webhooks/1/clientConfig");
              assertThat(entry.caBundle()).isEqualTo("Q0E=");
            });
  }
}
