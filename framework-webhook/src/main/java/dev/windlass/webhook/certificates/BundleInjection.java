// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.webhook.registration.ClientConfigEntry;
import dev.windlass.webhook.registration.ConfigurationDifferences;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.RegistrationPatch;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a CA bundle into a program's webhook configurations and custom resource definitions, and
 * reports other differences from the declarations of the program.
 *
 * <p>Only the entries that refer to the program's own Service or URL are changed, and only if they
 * contain a different bundle. Each patch contains the resourceVersion of the object as it was read.
 * The caller must read the objects before it reads the bundle. A replica that was suspended after
 * these reads then cannot replace a newer bundle with an older one. Writing the newer bundle has
 * changed the resourceVersion, so the patch of the suspended replica fails.
 *
 * <p>In a custom resource definition, the whole conversion is written, unless another Service or
 * URL converts the objects. Without a conversion, the API server would remove fields.
 */
final class BundleInjection {

  private static final Logger log = LoggerFactory.getLogger(BundleInjection.class);

  private final WebhookRegistration registration;

  /** The last reported differences for each object. Only one thread at a time uses this field. */
  private final Map<RegisteredObject, List<String>> reported = new LinkedHashMap<>();

  BundleInjection(WebhookRegistration registration) {
    this.registration = registration;
  }

  /**
   * The result for one object.
   *
   * @param caBundles the bundles in the entries that refer to this program
   * @param problem the reason why the object does not exist or does not contain the bundle; empty
   *     if it contains the bundle
   * @param failure the exception, if a request has failed
   */
  record Outcome(List<String> caBundles, Optional<String> problem, Optional<ApiException> failure) {

    private static Outcome of(List<ClientConfigEntry> entries, String problem) {
      return new Outcome(bundles(entries), Optional.of(problem), Optional.empty());
    }

    private static List<String> bundles(List<ClientConfigEntry> entries) {
      return entries.stream().map(ClientConfigEntry::caBundle).toList();
    }
  }

  /**
   * Reads the objects of the registration. The value for an object that does not exist is empty.
   */
  Map<RegisteredObject, Optional<GenericKubernetesResource>> read(Client client) {
    Map<RegisteredObject, Optional<GenericKubernetesResource>> found = new LinkedHashMap<>();
    registration
        .objects()
        .forEach(object -> found.put(object, client.get(object.type(), object.key())));
    return found;
  }

  /** Returns the current bundles in the entries that refer to this program. */
  List<String> caBundles(Map<RegisteredObject, Optional<GenericKubernetesResource>> objects) {
    return objects.entrySet().stream()
        .flatMap(object -> entries(object.getKey(), object.getValue()).stream())
        .map(ClientConfigEntry::caBundle)
        .distinct()
        .toList();
  }

  /**
   * Writes the bundle into the objects that do not contain it. If a request fails, this method
   * continues with the next object.
   *
   * @param objects the result of {@link #read}
   */
  Map<RegisteredObject, Outcome> inject(
      Client client,
      Map<RegisteredObject, Optional<GenericKubernetesResource>> objects,
      String caBundle) {
    Map<RegisteredObject, Outcome> outcomes = new LinkedHashMap<>();
    objects.forEach(
        (object, found) -> {
          try {
            outcomes.put(object, inject(client, object, found, caBundle));
          } catch (ApiException e) {
            outcomes.put(
                object,
                new Outcome(
                    Outcome.bundles(entries(object, found)),
                    Optional.of(object + " could not be changed: " + e.getMessage()),
                    Optional.of(e)));
          }
        });
    return outcomes;
  }

  private List<ClientConfigEntry> entries(
      RegisteredObject object, Optional<GenericKubernetesResource> found) {
    return found
        .map(there -> ClientConfigEntry.of(object.type(), there, registration.target()))
        .orElse(List.of());
  }

  private Outcome inject(
      Client client,
      RegisteredObject object,
      Optional<GenericKubernetesResource> found,
      String caBundle) {
    if (found.isEmpty()) {
      return Outcome.of(
          List.of(),
          object + " does not exist: apply what --print-manifests or Webhooks.manifests() returns");
    }
    GenericKubernetesResource there = found.get();
    GenericKubernetesResource desired = registration.desired(object);
    List<ClientConfigEntry> entries = entries(object, found);
    List<String> differences = ConfigurationDifferences.of(desired, there);
    if (!differences.isEmpty()
        && object.type().equals(RegisteredObject.DEFINITION)
        && (!entries.isEmpty() || !isConverted(there))) {
      List<ClientConfigEntry> own =
          ClientConfigEntry.of(object.type(), desired, registration.target());
      var unused =
          client.patch(
              there,
              new RegistrationPatch(there).conversion(desired).caBundle(own, caBundle).build());
      log.info("Configured the conversion of the {}", object);
      return new Outcome(List.of(caBundle), Optional.empty(), Optional.empty());
    }
    report(object, differences);
    if (entries.isEmpty()) {
      return Outcome.of(
          entries, object + " does not refer to " + registration.target() + ": correct it");
    }
    if (!entries.stream().allMatch(entry -> entry.caBundle().equals(caBundle))) {
      var unused =
          client.patch(there, new RegistrationPatch(there).caBundle(entries, caBundle).build());
      log.info("Wrote the CA bundle into the {}", object);
    }
    return new Outcome(List.of(caBundle), Optional.empty(), Optional.empty());
  }

  /** Returns whether a webhook converts the objects of a definition. */
  private static boolean isConverted(GenericKubernetesResource definition) {
    return "Webhook".equals(definition.get("spec", "conversion", "strategy"));
  }

  /** Logs the differences, unless they are the same as those last reported for the object. */
  private void report(RegisteredObject object, List<String> differences) {
    List<String> before = reported.put(object, differences);
    if (!differences.isEmpty() && !differences.equals(before)) {
      log.warn(
          "The {} in the cluster differs from the declarations of this program in {}; apply what"
              + " --print-manifests or Webhooks.manifests() returns, or change the program",
          object,
          String.join(", ", differences));
    }
  }
}
