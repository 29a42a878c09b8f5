// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.crd.CrdInstallation;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The installation of a CRD on a server. */
abstract class CrdInstallationContract {

  private static final String CRD = "ropes.crd.windlass.dev";

  KubernetesClient client;

  private TestApiServer server;

  @AfterEach
  void removeTheCrds() {
    client.apiextensions().v1().customResourceDefinitions().withName(CRD).delete();
    eventually().atMost(Duration.ofSeconds(30)).until(() -> stored().get() == null);
  }

  Resource<CustomResourceDefinition> stored() {
    return client.apiextensions().v1().customResourceDefinitions().withName(CRD);
  }

  static CustomResourceDefinition withSecondVersion(CustomResourceDefinition crd) {
    var second = new CustomResourceDefinitionBuilder(crd).build().getSpec().getVersions().get(0);
    second.setName("v2");
    second.setStorage(false);
    CustomResourceDefinition changed = generated(crd);
    changed.getSpec().getVersions().add(second);
    return changed;
  }

  /** The fields that a file has, without those of the server. */
  static CustomResourceDefinition generated(CustomResourceDefinition crd) {
    return new CustomResourceDefinitionBuilder(crd)
        .withNewMetadata()
        .withName(CRD)
        .endMetadata()
        .withStatus(null)
        .build();
  }

  @Test
  void servesTheTypeAtOnce() {
    CrdInstallation.of(Rope.class).install(client);
    Rope rope = new Rope();
    rope.getMetadata().setNamespace("default");
    rope.getMetadata().setName("first");
    assertThat(client.getApiResources("crd.windlass.dev/v1").getResources())
        .anyMatch(resource -> resource.getName().equals("ropes"));
    // The first request may find the storage not yet initialized; fabric8 tries again.
    assertThat(client.resource(rope).create().getMetadata().getUid()).isNotEmpty();
  }

  @Test
  void changesNothingTheSecondTime() {
    CrdInstallation.of(Rope.class).install(client);
    String first = stored().require().getMetadata().getResourceVersion();
    CrdInstallation.of(Rope.class).install(client);
    assertThat(stored().require().getMetadata().getResourceVersion()).isEqualTo(first);
  }

  @Test
  void waitsForAVersionThatIsAdded() {
    CrdInstallation.of(Rope.class).install(client);
    CrdInstallation.of(List.of(withSecondVersion(stored().require()))).install(client);
    assertThat(client.getApiResources("crd.windlass.dev/v2").getResources())
        .anyMatch(resource -> resource.getName().equals("ropes"));
  }

  @Test
  void declaresItsPermissionsToTheManager() {
    try (Manager manager =
        Manager.builder().config(server.clientConfig()).checkPermissions(false).build()) {
      CrdInstallation.of(Rope.class).install(manager);
      assertThat(manager.permissions().all())
          .anyMatch(right -> right.name().equals(CRD) && right.toString().contains("patch"));
    }
  }

  @Test
  void namesTheManagerOfAFieldThatDiffersAndTakesItOverOnDemand() {
    CrdInstallation.of(Rope.class).fieldManager("helm").install(client);
    CustomResourceDefinition changed = generated(stored().require());
    changed.getSpec().getNames().setShortNames(List.of("rp"));
    CrdInstallation installation = CrdInstallation.of(List.of(changed)).fieldManager("program");
    assertThatThrownBy(() -> installation.install(client))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shortNames")
        .hasMessageContaining("helm")
        .hasMessageContaining("--install-crds=force");
    assertThat(stored().require().getSpec().getNames().getShortNames()).containsExactly("rope");
    installation.takeOver().install(client);
    assertThat(stored().require().getSpec().getNames().getShortNames()).containsExactly("rp");
  }

  /** As a webhook configures its conversion, and then renews its CA. */
  @Test
  void leavesTheConversionOfARunningWebhook() {
    CrdInstallation.of(Rope.class).install(client);
    merge(
        """
        {"spec": {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions":
        ["v1"], "clientConfig": {"url": "https://here.example.com/convert", "caBundle": "%s"}}}}}
        """
            .formatted(authority()));
    CustomResourceDefinition shipped = generated(stored().require());
    var conversion = shipped.getSpec().getConversion();
    conversion.getWebhook().getClientConfig().setCaBundle(null);
    conversion.getWebhook().getClientConfig().setUrl("https://elsewhere.example.com/convert");
    for (CrdInstallation installation :
        List.of(
            CrdInstallation.of(Rope.class), // says nothing of a conversion
            CrdInstallation.of(List.of(shipped)), // says another one
            CrdInstallation.of(List.of(shipped)).fieldManager("other").takeOver(),
            CrdInstallation.of(Rope.class))) {
      installation.install(client);
      var found = stored().require().getSpec().getConversion();
      assertThat(found.getStrategy()).isEqualTo("Webhook");
      assertThat(found.getWebhook().getClientConfig().getUrl())
          .isEqualTo("https://here.example.com/convert");
      assertThat(found.getWebhook().getClientConfig().getCaBundle()).isNotEmpty();
    }
  }

  /** A certificate, because the server checks the bundle. */
  private static String authority() {
    String pem = CertificateAuthority.create(Clock.systemUTC()).self().certificatePem();
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  private void merge(String patch) {
    PatchContext asWebhook =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager("webhook")
            .build();
    stored().patch(asWebhook, patch);
  }
}
