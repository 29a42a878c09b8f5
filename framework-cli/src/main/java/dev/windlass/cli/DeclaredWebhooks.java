// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The webhooks of a program for which an installation is generated. This class checks that the
 * program declares every part of its webhooks. If a part were missing, the installation would
 * appear to be correct, but the API server would never call the webhooks.
 *
 * @param command the command line of the program
 * @param service the name of the Service through which the API server calls the webhooks
 */
record DeclaredWebhooks(CommandSpec command, String service) {

  private static final String SERVICE = "--webhook-service";

  /** The kinds of objects that register webhooks with the API server. */
  private static final Set<String> REGISTRATIONS =
      Set.of(
          "ValidatingWebhookConfiguration",
          "MutatingWebhookConfiguration",
          "CustomResourceDefinition");

  /**
   * Sets the program's webhook options to the values that the installation requires. Has no effect
   * if the program does not have these options.
   *
   * @param namespace the namespace of the Service
   */
  void serveIn(String namespace) {
    if (hasOptions()) {
      set(SERVICE, service);
      set("--webhook-namespace", namespace);
    }
  }

  /**
   * Returns the port on which the program serves its webhooks, or an empty result if the program
   * has no webhooks.
   *
   * @param objects the objects that the program has declared
   * @throws IllegalArgumentException if the installation would be incomplete; the message states
   *     the remedy
   */
  OptionalInt port(List<HasMetadata> objects) {
    boolean areRegistered =
        objects.stream().anyMatch(object -> REGISTRATIONS.contains(object.getKind()));
    if (areRegistered && !hasOptions()) {
      throw new IllegalArgumentException(
          "the program registers webhooks, but the installation cannot set their Service: add the"
              + " field '@Mixin private final WebhookOptions options = new WebhookOptions();', and"
              + " declare the webhooks with options.webhooks(...)");
    }
    if (!areRegistered && hasOptions() && options().areRequested()) {
      throw new IllegalArgumentException(
          "the program declares webhooks, but does not register them: call register(manager) on the"
              + " result of WebhookOptions.webhooks(...)");
    }
    return objects.stream()
        .filter(Service.class::isInstance)
        .map(Service.class::cast)
        .filter(each -> areRegistered && each.getMetadata().getName().equals(service))
        .mapToInt(each -> each.getSpec().getPorts().get(0).getTargetPort().getIntVal())
        .findFirst();
  }

  private boolean hasOptions() {
    return command.findOption(SERVICE) != null;
  }

  private WebhookOptions options() {
    return command.mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(WebhookOptions.class::isInstance)
        .map(WebhookOptions.class::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("WebhookOptions must be a mixin"));
  }

  private void set(String name, Object value) {
    command.findOption(name).setValue(value);
  }
}
