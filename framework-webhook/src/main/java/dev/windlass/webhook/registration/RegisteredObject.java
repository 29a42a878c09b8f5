// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/**
 * An object in the cluster that makes the API server call webhooks.
 *
 * @param type the type: a webhook configuration or a custom resource definition
 * @param name the name
 */
public record RegisteredObject(ResourceType type, String name) {

  /** The type ValidatingWebhookConfiguration. */
  public static final ResourceType VALIDATING =
      ResourceType.of(ValidatingWebhookConfiguration.class);

  /** The type MutatingWebhookConfiguration. */
  public static final ResourceType MUTATING = ResourceType.of(MutatingWebhookConfiguration.class);

  /** The type CustomResourceDefinition. */
  public static final ResourceType DEFINITION = ResourceType.of(CustomResourceDefinition.class);

  /** Returns the object's key. */
  public ObjectKey key() {
    return ObjectKey.of("", name);
  }

  /** Returns a description for messages, such as {@code ValidatingWebhookConfiguration tenants}. */
  @Override
  public String toString() {
    return type.kind() + " " + name;
  }
}
