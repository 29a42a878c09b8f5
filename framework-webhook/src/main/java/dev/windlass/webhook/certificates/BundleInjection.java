// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.webhook.registration.ClientConfigEntry;
import dev.windlass.webhook.registration.ConfigurationDifferences;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a CA bundle into a program's webhook configurations and custom resource definitions.
 *
 * <p>Only the entries that refer to the program's own Service or URL are changed, and only if they
 * contain a different bundle. Each patch contains the resourceVersion of the object as it was read.
 * The caller must read the objects before it reads the bundle. A replica that was suspended after
 * these reads then cannot replace a newer bundle with an older one. Writing the newer bundle has
 * changed the resourceVersion, so the patch of the suspended replica fails.
 *
 * <p>If the program also creates the objects, it applies each object together with its bundle. In a
 * webhook configuration without a bundle, all calls to the webhooks would fail, and the API server
 * would reject the requests until the bundle is written.
 */
final class BundleInjection {

  private static final Logger log = LoggerFactory.getLogger(BundleInjection.class);

  private final WebhookRegistration registration;
  private final boolean applied;
  private final UndeclaredWebhooks undeclared;

  /** The last reported differences for each object. Only one thread at a time uses this field. */
  private final Map<RegisteredObject, List<String>> reported = new LinkedHashMap<>();

  /**
   * Creates an injection.
   *
   * @param applied whether the program creates the objects and maintains all their fields; if not,
   *     it maintains only the bundles
   */
  BundleInjection(WebhookRegistration registration, boolean applied) {
    this.registration = registration;
    this.applied = applied;
    this.undeclared = new UndeclaredWebhooks(registration);
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
   * continues with the next object. If the program also creates the objects, this method removes
   * the webhooks that the program no longer declares.
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
          List<ClientConfigEntry> before = entries(object, found);
          try {
            outcomes.put(object, inject(client, object, found, caBundle));
          } catch (ApiException e) {
            outcomes.put(
                object,
                new Outcome(
                    Outcome.bundles(before),
                    Optional.of(object + " could not be changed: " + e.getMessage()),
                    Optional.of(e)));
          }
        });
    if (applied) {
      undeclared.removeConfigurations(client);
    }
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
    boolean canCreate = applied && !object.type().equals(RegisteredObject.DEFINITION);
    if (found.isEmpty() && !canCreate) {
      return Outcome.of(
          List.of(),
          object + " does not exist: apply what --print-manifests or Webhooks.manifests() returns");
    }
    List<String> differences =
        found
            .map(
                there ->
                    ConfigurationDifferences.of(
                        registration.desired(object, Optional.empty()), there))
            .orElse(List.of());
    List<ClientConfigEntry> entries = entries(object, found);
    boolean isTrusted =
        !entries.isEmpty() && entries.stream().allMatch(e -> e.caBundle().equals(caBundle));
    if (applied) {
      boolean isApplied = isTrusted && differences.equals(reported.getOrDefault(object, List.of()));
      undeclared.remove(
          client, object, isApplied ? found.orElseThrow() : apply(client, object, caBundle));
      return new Outcome(List.of(caBundle), Optional.empty(), Optional.empty());
    }
    report(object, differences);
    if (entries.isEmpty()) {
      return Outcome.of(
          entries, object + " does not refer to " + registration.target() + ": correct it");
    }
    if (!isTrusted) {
      var unused = client.patch(found.orElseThrow(), patch(found.orElseThrow(), entries, caBundle));
      log.info("Wrote the CA bundle into the {}", object);
    }
    return new Outcome(List.of(caBundle), Optional.empty(), Optional.empty());
  }

  private static ObjectPatch patch(
      GenericKubernetesResource object, List<ClientConfigEntry> entries, String caBundle) {
    return ObjectPatch.json(
        BundlePatch.of(
            String.valueOf(object.getMetadata().getResourceVersion()), entries, caBundle));
  }

  /**
   * Applies an object and logs the differences that remain. An apply cannot remove these
   * differences, because they were made by other writers. Therefore, they do not cause another
   * apply.
   */
  private GenericKubernetesResource apply(Client client, RegisteredObject object, String caBundle) {
    GenericKubernetesResource desired = registration.desired(object, Optional.of(caBundle));
    GenericKubernetesResource result = client.apply(desired);
    log.info("Applied the {} with its CA bundle", object);
    report(object, ConfigurationDifferences.of(desired, result));
    return result;
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
