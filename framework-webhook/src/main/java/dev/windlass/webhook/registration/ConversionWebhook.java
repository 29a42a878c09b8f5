// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;

/**
 * The webhook that converts the objects of a custom resource definition between its versions.
 *
 * @param definition the definition's name, such as {@code tenants.example.com}
 * @param path the webhook's path
 */
public record ConversionWebhook(String definition, String path) {

  /** controller-runtime's path, at which one webhook serves all definitions. */
  public static final String PATH = "/convert";

  /** Returns the webhook of a custom resource type at {@link #PATH}. */
  public static ConversionWebhook of(ResourceType type) {
    return new ConversionWebhook(type.resource(), PATH);
  }

  /** Returns a description for use in messages. */
  @Override
  public String toString() {
    return "the conversion of " + definition;
  }
}
