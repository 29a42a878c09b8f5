// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ResourceType;
import dev.windlass.webhook.admission.AdmissionRule;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigurationDifferencesTest {

  private static final ResourceType TENANT =
      new ResourceType("example.com", "v1", "tenants", "Tenant", false);

  private final WebhookRegistration registration =
      new WebhookRegistration(
          "tenants",
          WebhookTarget.service("shop", "hooks"),
          List.of(new AdmissionWebhook(AdmissionRule.of(TENANT), false)),
          List.of(ConversionWebhook.of(TENANT)));

  private final GenericKubernetesResource desired =
      registration.desired(registration.objects().get(0));

  private List<String> differences(String from, String to) {
    String yaml = Serialization.asYaml(desired);
    assertThat(yaml).contains(from);
    return ConfigurationDifferences.of(
        desired, Serialization.unmarshal(yaml.replace(from, to), GenericKubernetesResource.class));
  }

  @Test
  void findsNoneIfOnlyTheBundleDiffers() {
    assertThat(differences("clientConfig:\n", "clientConfig:\n    caBundle: Q0E=\n")).isEmpty();
  }

  @Test
  void namesEachField() {
    assertThat(differences("timeoutSeconds: 5", "timeoutSeconds: 10"))
        .containsExactly("webhooks[vtenant.example.com].timeoutSeconds");
    assertThat(differences("port: 443", "port: 8443"))
        .containsExactly("webhooks[vtenant.example.com].clientConfig.service.port");
    assertThat(differences("- \"UPDATE\"\n", "- \"DELETE\"\n"))
        .containsExactly("webhooks[vtenant.example.com].rules");
    assertThat(differences("objectSelector: {}", "objectSelector: {matchLabels: {a: b}}"))
        .containsExactly("webhooks[vtenant.example.com].objectSelector.matchLabels");
    assertThat(
            differences(
                "timeoutSeconds: 5",
                "timeoutSeconds: 5\n  matchConditions: [{name: a, expression: 'true'}]"))
        .containsExactly("webhooks[vtenant.example.com].matchConditions");
  }

  @Test
  void namesWebhooksThatAreMissingOrAdditional() {
    assertThat(differences("vtenant.example.com", "old.example.com"))
        .containsExactly(
            "webhooks[vtenant.example.com] (missing)", "webhooks[old.example.com] (not declared)");
  }

  @Test
  void comparesOnlyTheConversionOfADefinition() {
    GenericKubernetesResource conversion = registration.desired(registration.objects().get(1));
    GenericKubernetesResource live =
        Serialization.unmarshal(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: tenants.example.com}
            spec: {group: example.com, conversion: {strategy: None}}
            """,
            GenericKubernetesResource.class);
    assertThat(ConfigurationDifferences.of(conversion, live))
        .containsExactly("spec.conversion.strategy", "spec.conversion.webhook");
  }
}
