// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;

/**
 * A webhook that converts custom resources between the versions of their definition.
 *
 * @param definition the name of the CustomResourceDefinition, such as {@code tenants.example.com}
 * @param path the webhook's path
 */
public record ConversionWebhook(String definition, String path) {

  /** The path that controller-runtime uses for the conversion webhook of all definitions. */
  public static final String PATH = "/convert";

  /** Returns the conversion webhook for a custom resource type, with the path {@link #PATH}. */
  public static ConversionWebhook of(ResourceType type) {
    return new ConversionWebhook(type.resource(), PATH);
  }

  /** Returns a description for use in messages. */
  @Override
  public String toString() {
    return "the conversion of " + definition;
  }
}
