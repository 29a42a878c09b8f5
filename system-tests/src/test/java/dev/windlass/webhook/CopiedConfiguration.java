// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A copy of the program's webhook configuration with a bundle that no replica changes. Because of
 * it, the API server calls the webhooks once more for each request, as one would that has not seen
 * the next bundle yet.
 */
final class CopiedConfiguration {

  static final String NAME = "a-server-that-lags-behind";

  private static final long LAG_NANOS = 1_000_000_000;

  private final KubernetesClient kubectl;
  private String trusted = "";
  private String seen = "";
  private long since;
  private int copies;

  CopiedConfiguration(KubernetesClient kubectl) {
    this.kubectl = kubectl;
  }

  private ValidatingWebhookConfiguration original() {
    return kubectl
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName(WebhookReplica.CONFIGURATION)
        .get();
  }

  /** The bundle that the program has written. */
  String bundle() {
    return original().getWebhooks().get(0).getClientConfig().getCaBundle();
  }

  /** How many CAs are in that bundle. */
  int authorities() {
    return pem(bundle()).split("BEGIN CERTIFICATE", -1).length - 1;
  }

  private static String pem(String bundle) {
    return new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII);
  }

  /**
   * Makes the API server trust the bundle that the program has written, 1 s after it has changed.
   */
  void follow() {
    String current = bundle();
    if (!current.equals(seen)) {
      seen = current;
      since = System.nanoTime();
    }
    if (!seen.equals(trusted) && System.nanoTime() - since >= LAG_NANOS) {
      trust(seen);
    }
  }

  /** Makes the API server open new connections, with the bundle that it trusts already. */
  void reconnect() {
    trust(trusted);
  }

  /** Makes the API server trust a bundle, and open new connections for the copy. */
  void trust(String bundle) {
    trusted = bundle;
    String different = pem(bundle) + "# " + copies++ + "\n"; // or it would share its connections
    ValidatingWebhookConfiguration copy =
        new ValidatingWebhookConfigurationBuilder(original())
            .withMetadata(new ObjectMetaBuilder().withName(NAME).build())
            .build();
    copy.getWebhooks()
        .get(0)
        .getClientConfig()
        .setCaBundle(
            Base64.getEncoder().encodeToString(different.getBytes(StandardCharsets.US_ASCII)));
    kubectl.resource(copy).createOr(object -> object.update());
  }
}
