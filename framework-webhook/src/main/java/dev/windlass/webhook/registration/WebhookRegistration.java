// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The webhooks of a program, and the objects that register them with the API server. Instances are
 * immutable.
 *
 * @param name the name of both webhook configurations
 * @param target the Service or URL at which the API server calls the webhooks
 * @param admission the admission webhooks
 * @param conversions the conversion webhooks
 */
public record WebhookRegistration(
    String name,
    WebhookTarget target,
    List<AdmissionWebhook> admission,
    List<ConversionWebhook> conversions) {

  private static final String VERSION = "v1";

  /**
   * The names that the API server accepts for a webhook: domain names with at least three segments.
   */
  private static final Pattern WEBHOOK_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}");

  private static final int LONGEST_NAME = 253;

  private static final Pattern OBJECT_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /**
   * Checks the names, the paths and the conversions.
   *
   * @throws IllegalArgumentException if the API server would reject a name, if two webhooks have
   *     the same name or path, or if a CRD has two conversions; the message states the remedy
   */
  public WebhookRegistration {
    admission = List.copyOf(admission);
    conversions = List.copyOf(conversions);
    if (name.length() > LONGEST_NAME || !OBJECT_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' can't be the name of webhook configurations: use lower-case letters,"
              + " digits, '-' and '.'");
    }
    requireNames(admission);
    requireDifferentPaths(admission, conversions);
  }

  private static void requireNames(List<AdmissionWebhook> admission) {
    Set<String> names = new HashSet<>();
    for (AdmissionWebhook webhook : admission) {
      String name = webhook.name();
      if (name.length() > LONGEST_NAME || !WEBHOOK_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "'"
                + name
                + "' can't be the name of a webhook: call named(...) on its rule with a domain of"
                + " at least three segments, such as vtenant.example.com");
      }
      if (!names.add((webhook.mutating() ? "m " : "v ") + name)) {
        throw new IllegalArgumentException(
            "two webhooks have the name " + name + ": call named(...) on the rule of one of them");
      }
    }
  }

  private static void requireDifferentPaths(
      List<AdmissionWebhook> admission, List<ConversionWebhook> conversions) {
    Set<String> conversionPaths = new TreeSet<>();
    conversions.forEach(conversion -> conversionPaths.add(conversion.path()));
    Set<String> paths = new HashSet<>();
    for (AdmissionWebhook webhook : admission) {
      String path = webhook.path();
      if (conversionPaths.contains(path) || !paths.add(path)) {
        throw new IllegalArgumentException(
            "two webhooks have the path "
                + path
                + ": call path(...) on the rule of "
                + webhook.name());
      }
    }
    Set<String> definitions = new HashSet<>();
    for (ConversionWebhook conversion : conversions) {
      if (!definitions.add(conversion.definition())) {
        throw new IllegalArgumentException(
            conversion.definition() + " has two conversions: declare only one");
      }
    }
  }

  /** Returns the objects in the cluster that make the API server call these webhooks. */
  public List<RegisteredObject> objects() {
    List<RegisteredObject> objects = new ArrayList<>();
    objects.add(new RegisteredObject(RegisteredObject.VALIDATING, name));
    objects.add(new RegisteredObject(RegisteredObject.MUTATING, name));
    objects.removeIf(configuration -> webhooks(configuration).isEmpty());
    conversions.forEach(
        conversion ->
            objects.add(
                new RegisteredObject(RegisteredObject.DEFINITION, conversion.definition())));
    return objects;
  }

  private List<AdmissionWebhook> webhooks(RegisteredObject configuration) {
    boolean mutating = configuration.type().equals(RegisteredObject.MUTATING);
    return admission.stream().filter(webhook -> webhook.mutating() == mutating).toList();
  }

  /**
   * Returns the desired state of an object, without its CA bundle, which the running program
   * writes. A CustomResourceDefinition contains only its conversion, and is intended for
   * server-side apply. The result includes the fields for which the API server would set a default,
   * so that it can be compared with an object in the cluster.
   */
  public GenericKubernetesResource desired(RegisteredObject object) {
    GenericKubernetesResource desired = new GenericKubernetesResource();
    ResourceType type = object.type();
    desired.setApiVersion(type.apiVersion());
    desired.setKind(type.kind());
    desired.setMetadata(new ObjectMetaBuilder().withName(object.name()).build());
    if (type.equals(RegisteredObject.DEFINITION)) {
      desired.setAdditionalProperty("spec", Map.of("conversion", conversion(object.name())));
    } else {
      desired.setAdditionalProperty(
          "webhooks", webhooks(object).stream().map(this::webhook).toList());
    }
    return desired;
  }

  private Map<String, Object> webhook(AdmissionWebhook webhook) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", webhook.name());
    fields.putAll(WebhookFields.of(webhook));
    fields.put("clientConfig", target.clientConfig(webhook.path()));
    fields.put("admissionReviewVersions", List.of(VERSION));
    return fields;
  }

  private Map<String, Object> conversion(String definition) {
    String path =
        conversions.stream()
            .filter(conversion -> conversion.definition().equals(definition))
            .findFirst()
            .orElseThrow()
            .path();
    Map<String, Object> webhook = new LinkedHashMap<>();
    webhook.put("clientConfig", target.clientConfig(path));
    webhook.put("conversionReviewVersions", List.of(VERSION));
    Map<String, Object> conversion = new LinkedHashMap<>();
    conversion.put("strategy", "Webhook");
    conversion.put("webhook", webhook);
    return conversion;
  }

  /** Returns the distinct paths of all webhooks. */
  public List<String> paths() {
    return Stream.concat(
            admission.stream().map(AdmissionWebhook::path),
            conversions.stream().map(ConversionWebhook::path))
        .distinct()
        .toList();
  }
}
