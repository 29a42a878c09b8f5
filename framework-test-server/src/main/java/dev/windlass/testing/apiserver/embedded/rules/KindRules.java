// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.schema.SchemaDefaults;
import dev.windlass.testing.apiserver.embedded.schema.SchemaValidation;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ContentRules;
import dev.windlass.testing.apiserver.embedded.types.EventConversion;
import dev.windlass.testing.apiserver.embedded.types.ObjectVersions;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Applies the rules of a kind to its objects: decoding, defaults, validation, status and
 * generation.
 */
public final class KindRules {
  /**
   * The types of errors that prevent the evaluation of CEL rules, because a value may have the
   * wrong type.
   */
  private static final Set<FieldError.Type> BLOCKING =
      Set.of(
          FieldError.Type.UNSUPPORTED,
          FieldError.Type.REQUIRED,
          FieldError.Type.TOO_LONG,
          FieldError.Type.TOO_MANY,
          FieldError.Type.TYPE_INVALID);

  private static final String UNCHECKED =
      "some validation rules were not checked because the object was invalid; correct the existing"
          + " errors to complete validation";

  private final ResourceType type;

  public KindRules(ResourceType type) {
    this.type = type;
  }

  /**
   * Decodes the object in a request body. Puts the fields in canonical order, prunes unknown fields
   * and sets defaults. Converts an Event to the form in which it is stored.
   */
  public ObjectNode decode(ObjectNode body) {
    ObjectNode object = Json.object();
    object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    object.set("metadata", Meta.of(body).json());
    JsonNode status = body.get("status");
    object.setAll(Json.without(body, "kind", "apiVersion", "metadata", "status"));
    if (status != null) {
      object.set("status", status);
    }
    MetadataRules.normalise(Meta.of(object));
    ObjectNode schema = type.schema();
    FieldValidation.prune(type, object);
    if (schema == null) {
      BuiltInDefaults.apply(type, object);
    } else {
      SchemaDefaults.apply(schema, object);
    }
    return type.resource().equals(EventConversion.NEWER)
        ? EventConversion.toStored(object)
        : object;
  }

  /**
   * Removes the status from a new object, because a create request cannot set it. Then sets the
   * initial status if the kind is built-in. Does nothing if the kind has no status subresource.
   */
  public void dropStatus(ObjectNode object) {
    if (type.has(Trait.STATUS)) {
      object.remove("status");
      if (!type.custom()) {
        BuiltInDefaults.initialStatus(type, object);
      }
    }
  }

  /**
   * Copies the status of {@code old} to {@code object}, because only a write to the status
   * subresource can change the status.
   */
  public void keepStatus(ObjectNode old, ObjectNode object) {
    if (type.has(Trait.STATUS)) {
      copyStatus(old, object);
    }
    if (type.resource().equals(BuiltInTypes.CRDS)) {
      CrdRules.recordStorageVersion(object);
    }
  }

  /**
   * Copies {@code spec.finalizers} of a namespace from {@code old} to {@code object}, because only
   * a write to the finalize subresource can change them.
   */
  public void keepSpecFinalizers(ObjectNode old, ObjectNode object) {
    if (type.resource().equals(BuiltInTypes.NAMESPACES)) {
      object.withObject("/spec").set("finalizers", old.path("spec").path("finalizers"));
    }
  }

  /**
   * Returns a copy of {@code old} with the status and the metadata of {@code body}. The labels of a
   * Deployment remain unchanged.
   */
  public ObjectNode withStatus(ObjectNode old, ObjectNode body) {
    ObjectNode object = Json.shallowCopy(old);
    copyStatus(body, object);
    ObjectNode metadata = Meta.of(body).json();
    object.set("metadata", metadata);
    if (type.kind().equals("Deployment")) {
      metadata.remove("labels");
      if (Meta.of(old).json().has("labels")) {
        metadata.set("labels", Meta.of(old).json().path("labels"));
      }
    }
    return object;
  }

  /**
   * Restores the metadata of a custom resource, except {@code managedFields}, because a write to
   * the status subresource cannot change the metadata.
   */
  public void keepMetadata(ObjectNode old, ObjectNode object) {
    ObjectNode metadata = Meta.of(object).json();
    if (type.custom()) {
      JsonNode managed = metadata.get("managedFields");
      ObjectNode kept = Meta.of(old).json().deepCopy();
      kept.remove("managedFields");
      if (managed != null) {
        kept.set("managedFields", managed);
      }
      object.set("metadata", kept);
    }
  }

  private static void copyStatus(ObjectNode from, ObjectNode to) {
    JsonNode status = from.get("status");
    if (status == null || status.isNull()) {
      to.remove("status");
    } else {
      to.set("status", status);
    }
  }

  /** Sets the generation of a new object to 1, if the kind has generations. */
  public void firstGeneration(ObjectNode object) {
    if (type.has(Trait.GENERATION)) {
      Meta.of(object).json().put("generation", 1);
    }
  }

  /**
   * Increments the generation if the kind has generations and the object has changed. Changes to
   * the metadata and the status do not increment the generation, with two exceptions: the
   * annotations of a Deployment, and the status of a custom resource without a status subresource.
   */
  public void nextGeneration(ObjectNode old, ObjectNode object) {
    String annotations = "annotations";
    boolean annotated =
        type.kind().equals("Deployment")
            && !Meta.of(old)
                .json()
                .path(annotations)
                .equals(Meta.of(object).json().path(annotations));
    if (type.has(Trait.GENERATION)
        && (annotated || !Json.same(specification(old), specification(object)))) {
      bumpGeneration(old, object);
    }
  }

  public static void bumpGeneration(ObjectNode old, ObjectNode object) {
    long generation = Meta.of(old).generation();
    if (generation > 0) {
      Meta.of(object).json().put("generation", generation + 1);
    }
  }

  private JsonNode specification(ObjectNode object) {
    // Without a status path, the status is treated like all other fields.
    return type.has(Trait.STATUS) || !type.custom()
        ? Json.without(object, "apiVersion", "kind", "metadata", "status")
        : Json.without(object, "apiVersion", "kind", "metadata");
  }

  /**
   * Validates an object against the rules of its kind.
   *
   * @param old the object before the write; an empty object for a create
   * @param subresource the subresource that is written; empty for the object itself
   * @param errors the errors found so far
   * @throws StatusException 422 if there are any errors
   */
  public void validate(
      ObjectNode old, ObjectNode object, String subresource, List<FieldError> errors) {
    FieldChecks checks = new FieldChecks(object, "", new ArrayList<>(errors));
    List<FieldError> all = checks.errors();
    ObjectNode schema = type.schema();
    boolean status = subresource.equals("status");
    if (schema != null) {
      all.addAll(
          status
              ? SchemaValidation.validateStatus(schema, object)
              : SchemaValidation.validate(schema, object));
      if (type.has(Trait.SCALE)) {
        checkReplicas(type.scale().replicas(), checks);
        checkReplicas(type.scale().statusReplicas(), checks);
      }
      all.addAll(ofContent(old, object, all));
    } else if (status) {
      checkStatus(checks);
    } else {
      PodRules.ofWorkload(type.kind(), checks);
      checkKind(old, checks);
      boolean metadataIsLast = type.kind().equals("PodDisruptionBudget") && old.isEmpty();
      if (metadataIsLast && all.size() > errors.size()) {
        all.subList(0, errors.size()).clear();
      }
    }
    if (!all.isEmpty()) {
      throw StatusException.invalid(type.group(), type.kind(), Meta.of(object).name(), all);
    }
  }

  /** Checks a number of replicas that the scale subresource of a custom resource exposes. */
  private static void checkReplicas(String pointer, FieldChecks object) {
    int last = pointer.lastIndexOf('/');
    JsonNode parent = object.object().at(pointer.substring(0, last));
    String path = pointer.substring(0, last).replace('/', '.');
    FieldChecks checks = new FieldChecks(parent, path, object.errors());
    String field = pointer.substring(last + 1);
    checks.check(!parent.path(field).isTextual(), field, "must be an integer");
    checks.atLeast(0, field);
  }

  /**
   * Returns the violations of CEL rules. If {@code errors} suggests that a value has the wrong
   * type, this method does not evaluate the rules, and returns an error that states this.
   */
  private List<FieldError> ofContent(ObjectNode old, ObjectNode object, List<FieldError> errors) {
    ObjectVersions versions = type.versions();
    ContentRules rules = versions == null ? ContentRules.NONE : versions.rules(type.apiVersion());
    if (rules == ContentRules.NONE) {
      return List.of();
    }
    if (errors.stream().anyMatch(error -> BLOCKING.contains(error.type()))) {
      return List.of(FieldError.invalid("<nil>", "null", UNCHECKED));
    }
    return rules.validate(old, object);
  }

  /**
   * Sets the fields that the server allocates: the addresses of a Service, and the selector of a
   * new Job.
   */
  public void allocate(ObjectNode old, ObjectNode object, Supplier<String> addresses) {
    if (isService()) {
      ServiceRules.allocate(old, object, addresses);
    } else if (type.kind().equals("Job") && !type.custom() && old.isEmpty()) {
      BuiltInDefaults.selectOwnPods(object);
    }
  }

  private boolean isService() {
    return type.group().isEmpty() && type.kind().equals("Service");
  }

  private void checkStatus(FieldChecks object) {
    switch (type.kind()) {
      case "Deployment" -> PodRules.ofStatus(object);
      case "Service" -> ServiceRules.ofStatus(object);
      default -> {}
    }
  }

  private void checkKind(ObjectNode old, FieldChecks object) {
    switch (type.kind()) {
      case "CustomResourceDefinition" -> CrdRules.validate(object);
      case "Event" -> {
        if (type.resource().equals(EventConversion.NEWER)) {
          EventConversion.validate(object);
        }
      }
      case "ConfigMap" -> {
        DataRules.ofConfigMap(object);
        DataRules.onUpdate(old, object);
      }
      case "Secret" -> {
        DataRules.ofSecret(object);
        DataRules.onUpdate(old, object);
      }
      case "Deployment" -> PodRules.ofDeployment(old, object);
      case "Role" -> PolicyRules.ofRole(object);
      case "PodDisruptionBudget" -> PolicyRules.ofBudget(object);
      case "Service" -> ServiceRules.validate(old, object);
      case "Ingress" -> PolicyRules.ofIngress(object);
      case "Lease" -> PolicyRules.ofLease(object);
      case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" ->
          WebhookConfigurationRules.validate(object);
      default -> {
        if (!old.isEmpty()) {
          ImmutableSpecRules.onUpdate(type.kind(), old, object);
        }
      }
    }
  }
}
