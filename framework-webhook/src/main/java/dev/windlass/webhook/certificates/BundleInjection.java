// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.webhook.certificates.DecidingVersion.Claim;
import dev.windlass.webhook.registration.ClientConfigEntry;
import dev.windlass.webhook.registration.ConfigurationDifferences;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Clock;
import java.time.Duration;
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
 * would reject the requests until the bundle is written. If replicas of two versions run, {@link
 * DecidingVersion} determines which of them applies the objects. The others write only bundles.
 */
final class BundleInjection {

  private static final Logger log = LoggerFactory.getLogger(BundleInjection.class);

  private final WebhookRegistration registration;
  private final boolean applied;
  private final DecidingVersion version;
  private final UndeclaredWebhooks undeclared;
  private final Clock clock;

  /** The last reported differences for each object. Only one thread at a time uses this field. */
  private final Map<RegisteredObject, List<String>> reported = new LinkedHashMap<>();

  /**
   * Creates an injection. The time of this call is the start of this replica.
   *
   * @param applied whether the program creates the objects and maintains all their fields; if not,
   *     it maintains only the bundles
   */
  BundleInjection(WebhookRegistration registration, boolean applied, Clock clock) {
    this.registration = registration;
    this.applied = applied;
    this.version = new DecidingVersion(registration, clock.instant());
    this.undeclared = new UndeclaredWebhooks(registration, version);
    this.clock = clock;
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
   * Reads the objects of the registration. If the program also creates the objects, the result
   * includes the configurations for which it declares no webhooks. The value for an object that
   * does not exist is empty.
   */
  Map<RegisteredObject, Optional<GenericKubernetesResource>> read(Client client) {
    Map<RegisteredObject, Optional<GenericKubernetesResource>> found = new LinkedHashMap<>();
    registration
        .objects()
        .forEach(object -> found.put(object, client.get(object.type(), object.key())));
    if (applied) {
      undeclared.read(client).forEach((object, there) -> found.put(object, Optional.of(there)));
    }
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
   * continues with the next object. If the program also creates the objects, and if its version
   * decides, this method also restores the objects and removes the webhooks that the program no
   * longer declares.
   *
   * @param objects the result of {@link #read}
   */
  Map<RegisteredObject, Outcome> inject(
      Client client,
      Map<RegisteredObject, Optional<GenericKubernetesResource>> objects,
      String caBundle) {
    Map<RegisteredObject, Outcome> outcomes = new LinkedHashMap<>();
    if (applied) {
      version.update(objects.values().stream().flatMap(Optional::stream).toList(), clock.instant());
    }
    registration
        .objects()
        .forEach(
            object -> {
              Optional<GenericKubernetesResource> found =
                  objects.getOrDefault(object, Optional.empty());
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
      undeclared.removeConfigurations(client, objects);
    }
    return outcomes;
  }

  /**
   * Returns the time until the next run: the given time, or less if this replica waits for another
   * version to end.
   */
  Duration untilNextRun(Duration most) {
    return version
        .untilNextRun(clock.instant())
        .filter(wait -> wait.compareTo(most) < 0)
        .orElse(most);
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
    boolean decides = applied && version.decides();
    Optional<Claim> claim = applied ? found.flatMap(version::change) : Optional.empty();
    List<String> differences =
        found
            .map(
                there ->
                    ConfigurationDifferences.of(
                        registration.desired(object, Optional.empty()), there))
            .orElse(List.of());
    List<ClientConfigEntry> entries = entries(object, found);
    boolean isTrusted = entries.stream().allMatch(entry -> entry.caBundle().equals(caBundle));
    if (decides
        && (entries.isEmpty()
            || !isTrusted
            || !differences.equals(reported.getOrDefault(object, List.of())))) {
      undeclared.remove(client, object, apply(client, object, found, caBundle));
    } else if (found.isPresent() && (!isTrusted || claim.isPresent())) {
      write(client, object, found.get(), entries, caBundle, claim);
    } else if (decides) {
      undeclared.remove(client, object, found.orElseThrow());
    }
    if (!applied) {
      report(object, differences);
      if (entries.isEmpty()) {
        return Outcome.of(
            entries, object + " does not refer to " + registration.target() + ": correct it");
      }
    }
    // If another version decides, its configurations need not refer to this program.
    return new Outcome(List.of(caBundle), Optional.empty(), Optional.empty());
  }

  private static void write(
      Client client,
      RegisteredObject object,
      GenericKubernetesResource found,
      List<ClientConfigEntry> entries,
      String caBundle,
      Optional<Claim> claim) {
    var unused = client.patch(found, BundlePatch.of(found, entries, caBundle, claim));
    claim.ifPresentOrElse(
        written -> log.debug("Wrote the claim {} into the {}", written, object),
        () -> log.info("Wrote the CA bundle into the {}", object));
  }

  /**
   * Applies an object and logs the differences that remain. An apply cannot remove these
   * differences, because they were made by other writers. Therefore, they do not cause another
   * apply.
   */
  private GenericKubernetesResource apply(
      Client client,
      RegisteredObject object,
      Optional<GenericKubernetesResource> found,
      String caBundle) {
    GenericKubernetesResource desired = registration.desired(object, Optional.of(caBundle));
    found.ifPresent(
        there ->
            BundlePatch.ofAddresses(object.type(), there, desired)
                .ifPresent(
                    patch -> {
                      var unused = client.patch(there, patch);
                    }));
    desired.getMetadata().setAnnotations(version.annotations());
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
