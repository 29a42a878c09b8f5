// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates and completes the metadata of objects. The rules are those of apimachinery's {@code
 * objectmeta.go} and apply to all kinds.
 */
public final class MetadataRules {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

  /**
   * The API groups whose kinds reject a finalizer that has neither a standard name nor a domain.
   */
  private static final List<String> STANDARD_FINALIZERS =
      List.of("", "apps", "networking.k8s.io", RBAC);

  private static final int MAX_LABEL = 63;
  private static final int MAX_NAME = 253;

  private static final List<String> IMMUTABLE =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds");
  private static final List<String> SERVER_FIELDS =
      List.of("deletionGracePeriodSeconds", "deletionTimestamp", "managedFields", "selfLink");

  private MetadataRules() {}

  /**
   * Removes null and empty values. They are equivalent to absent values, and must not be treated as
   * changes.
   */
  static void normalise(Meta meta) {
    List<String> empty = new ArrayList<>();
    meta.json()
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              boolean nothing =
                  value.isNull()
                      || isEmptyText(value)
                      || (value.isContainerNode() && value.isEmpty());
              if (nothing) {
                empty.add(field.getKey());
              }
            });
    meta.json().remove(empty);
  }

  private static boolean isEmptyText(JsonNode value) {
    return value.isTextual() && value.asText().isEmpty();
  }

  /** Drops fields that only the server sets. */
  public static void dropServerFields(Meta meta) {
    meta.json().remove(SERVER_FIELDS);
  }

  /**
   * Checks the name and the namespace of an object against those of the request.
   *
   * @throws StatusException 400 if they differ; the object can omit the namespace
   */
  public static void checkPlace(Meta meta, ObjectKey key) {
    checkNamespace(meta, key.namespace());
    if (!meta.name().equals(key.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(meta.name(), key.name()));
    }
  }

  /**
   * Checks the namespace of an object, if it has one.
   *
   * @throws StatusException 400 if it differs from the request's namespace
   */
  public static void checkNamespace(Meta meta, String namespace) {
    if (!meta.namespace().isEmpty() && !meta.namespace().equals(namespace)) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  /** Validates the metadata of a new object and returns the errors. */
  public static List<FieldError> onCreate(ResourceType type, Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    String name = meta.name();
    if (name.isEmpty()) {
      errors.add(FieldError.required("metadata.name", "name or generateName is required"));
    } else {
      errors.addAll(name(type, name));
    }
    errors.addAll(LabelSyntax.ofMetadata(meta));
    errors.addAll(owners(meta));
    errors.addAll(finalizers(type, meta));
    return errors;
  }

  private static List<FieldError> name(ResourceType type, String name) {
    List<FieldError> errors = new ArrayList<>();
    if (type.group().equals(RBAC) || type.kind().equals("PodDisruptionBudget")) {
      for (String part : List.of("/", "%")) {
        if (name.contains(part)) {
          errors.add(FieldError.invalid("metadata.name", name, "may not contain '" + part + "'"));
        }
      }
      return errors;
    }
    boolean label = type.kind().equals("Service") && type.group().isEmpty();
    int longest = label ? MAX_LABEL : MAX_NAME;
    if (name.length() > longest) {
      String why = "must be no more than " + longest + " characters";
      errors.add(FieldError.invalid("metadata.name", name, why));
    }
    if (!(label ? LABEL : SUBDOMAIN).matcher(name).matches()) {
      String rule = "must be a DNS label of lower case, digits and '-' that begins with a letter";
      errors.add(
          FieldError.invalid("metadata.name", name, label ? rule : LabelSyntax.SUBDOMAIN_RULE));
    }
    return errors;
  }

  private static List<FieldError> finalizers(ResourceType type, Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    int index = 0;
    for (String finalizer : meta.finalizers()) {
      errors.addAll(LabelSyntax.ofName("metadata.finalizers", finalizer));
      if (!type.custom()
          && STANDARD_FINALIZERS.contains(type.group())
          && !finalizer.contains("/")
          && !FieldValidation.STANDARD_FINALIZERS.contains(finalizer)) {
        errors.add(
            FieldError.invalid(
                "metadata.finalizers[" + index + "]",
                finalizer,
                "name is neither a standard finalizer name nor is it fully qualified"));
      }
      index++;
    }
    return errors;
  }

  /**
   * Rejects a patch that would change the object's uid. In an update, the uid is a precondition
   * instead. This method accepts a patch with an outdated resourceVersion, because {@link #restore}
   * rejects it with a conflict.
   *
   * @throws StatusException 422 if the uids differ
   */
  public static void requireSameUid(ResourceType type, Meta old, Meta patched) {
    boolean stale =
        !patched.resourceVersion().isEmpty()
            && !patched.resourceVersion().equals(old.resourceVersion());
    if (!stale && !patched.uid().isEmpty() && !patched.uid().equals(old.uid())) {
      throw StatusException.invalid(
          type.group(),
          type.kind(),
          old.name(),
          List.of(FieldError.invalid("metadata.uid", patched.uid(), "field is immutable")));
    }
  }

  /**
   * Copies the fields that a client can omit from {@code old} to {@code now}. Rejects the uid of
   * another object, an outdated resourceVersion, and, if the type requires a resourceVersion, a
   * missing one. The server performs these checks before it validates any other field.
   *
   * @throws StatusException 409 or 422 if the update is rejected; 500 if the resourceVersion is not
   *     a number
   */
  public static void restore(ResourceType type, Meta old, Meta now) {
    GroupResource resource = type.resource();
    if (!now.uid().isEmpty() && !now.uid().equals(old.uid())) {
      throw otherUid(type, old.name(), now.uid(), old.uid());
    }
    checkVersion(now);
    if (now.resourceVersion().isEmpty() || now.resourceVersion().equals("0")) {
      if (type.custom() || type.has(Trait.VERSIONED_UPDATE)) {
        throw StatusException.invalid(
            resource.group(),
            resource.plural(),
            old.name(),
            List.of(
                FieldError.invalid(
                    "metadata.resourceVersion", 0, "must be specified for an update")));
      }
    } else if (!now.resourceVersion().equals(old.resourceVersion())) {
      throw StatusException.stale(resource, old.name());
    }
    copy(old, now, "uid");
    copy(old, now, "resourceVersion");
    copy(old, now, "generation");
    copy(old, now, "namespace");
    copy(old, now, "creationTimestamp");
    now.json().remove(List.of("managedFields", "selfLink"));
    if (old.deleting()) {
      copy(old, now, "deletionTimestamp");
      copy(old, now, "deletionGracePeriodSeconds");
    }
  }

  /**
   * Checks that the resourceVersion is a number or absent.
   *
   * @throws StatusException 500 if it is not a number
   */
  public static void checkVersion(Meta meta) {
    String version = meta.resourceVersion();
    if (!version.matches("\\d*")) {
      throw StatusException.of(500, "", "the resourceVersion " + version + " is not a number");
    }
  }

  /**
   * Returns the conflict for a request whose uid differs from that of the existing object.
   *
   * @param uid the uid of the existing object; empty if there is none
   */
  public static StatusException otherUid(
      ResourceType type, String name, String expected, String uid) {
    String why = "the uid in the request is %s, and that of the object is %s";
    return StatusException.conflict(type.resource(), name, why.formatted(expected, uid));
  }

  private static void copy(Meta from, Meta to, String field) {
    JsonNode value = from.json().get(field);
    if (value == null) {
      to.json().remove(field);
    } else {
      to.json().set(field, value);
    }
  }

  /**
   * Validates the metadata of an updated object and returns the errors. Call {@link #restore}
   * first.
   */
  public static List<FieldError> onUpdate(ResourceType type, Meta old, Meta now) {
    List<FieldError> errors = new ArrayList<>();
    if (old.deleting()) {
      List<String> added = new ArrayList<>(now.finalizers());
      added.removeAll(old.finalizers());
      if (!added.isEmpty()) {
        errors.add(
            FieldError.forbidden(
                "metadata.finalizers",
                "the object is being deleted, so it cannot get the finalizers " + added));
      }
    }
    for (String field : IMMUTABLE) {
      JsonNode value = now.json().path(field);
      if (!value.asText().equals(old.text(field))) {
        errors.add(FieldError.invalid("metadata." + field, value, "field is immutable"));
      }
    }
    errors.addAll(LabelSyntax.ofMetadata(now));
    errors.addAll(owners(now));
    errors.addAll(finalizers(type, now));
    return errors;
  }

  private static List<FieldError> owners(Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    int controllers = 0;
    for (ObjectNode owner : meta.owners()) {
      for (String field : List.of("apiVersion", "kind", "name", "uid")) {
        if (owner.path(field).asText("").isEmpty()) {
          errors.add(
              FieldError.invalid("metadata.ownerReferences." + field, "", "must not be empty"));
        }
      }
      controllers += owner.path("controller").asBoolean() ? 1 : 0;
    }
    for (int i = 1; i < controllers; i++) {
      JsonNode all = meta.json().path("ownerReferences");
      String why = "only one reference can have controller set to true";
      errors.add(FieldError.invalid("metadata.ownerReferences", all, why));
    }
    return errors;
  }
}
