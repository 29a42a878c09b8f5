// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.webhook.registration.WebhookTarget.ServiceTarget;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Creates the objects that an administrator applies to register the webhooks with the API server.
 */
public final class WebhookManifests {

  private WebhookManifests() {}

  /**
   * Returns the webhook configurations and the conversions. If the API server reaches the webhooks
   * through a Service, the Service precedes them.
   *
   * <p>The result contains a partial CustomResourceDefinition for each conversion. Apply the
   * complete definition first, and then the partial definition with {@code kubectl apply
   * --server-side}. The objects do not contain a CA bundle; the program adds it.
   *
   * @param podLabels the labels with which the Service selects the program's Pods
   * @param serverPort the port on which the program's server listens
   */
  public static List<HasMetadata> of(
      WebhookRegistration registration, Map<String, String> podLabels, int serverPort) {
    List<HasMetadata> manifests = new ArrayList<>();
    if (registration.target() instanceof ServiceTarget target) {
      manifests.add(service(target, podLabels, serverPort));
    }
    registration.objects().forEach(object -> manifests.add(registration.desired(object)));
    return manifests;
  }

  private static HasMetadata service(
      ServiceTarget target, Map<String, String> podLabels, int serverPort) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(target.name())
        .withNamespace(target.namespace())
        .endMetadata()
        .withNewSpec()
        .withSelector(podLabels)
        .addNewPort()
        .withName("https")
        .withProtocol("TCP")
        .withPort(target.port())
        .withTargetPort(new IntOrString(serverPort))
        .endPort()
        .endSpec()
        .build();
  }
}
