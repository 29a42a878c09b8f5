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
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Validates and completes the metadata of objects. The rules are those of apimachinery's {@code
 * objectmeta.go} and apply to all kinds.
 */
public final class MetadataRules {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final String LABEL_RULE =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
          + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
          + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

  /**
   * The API groups whose kinds reject a finalizer that has neither a standard name nor a domain.
   */
  private static final List<String> STANDARD_FINALIZERS =
      List.of("", "apps", "networking.k8s.io", RBAC);

  private static final int MAX_LABEL = 63;
  private static final int MAX_NAME = 253;

  /** The names of etcd directories that differ from the name of the resource, by resource. */
  private static final Map<String, String> DIRECTORIES =
      Map.of(
          "services", "services/specs",
          "endpoints", "services/endpoints",
          "ingresses", "ingress",
          "nodes", "minions");

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

  /** Validates the metadata of a new object and returns the errors. */
  public static List<FieldError> onCreate(ResourceType type, Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    String name = meta.name();
    if (name.isEmpty()) {
      errors.add(FieldError.required("metadata.name", "name or generateName is required"));
    } else {
      errors.addAll(name(type, name));
    }
    errors.addAll(LabelRules.of(meta));
    errors.addAll(owners(meta));
    errors.addAll(finalizers(type, meta));
    return errors;
  }

  private static List<FieldError> name(ResourceType type, String name) {
    List<FieldError> errors = new ArrayList<>();
    String shown = FieldError.quoted(name);
    if (type.group().equals(RBAC) || type.kind().equals("PodDisruptionBudget")) {
      for (String part : List.of("/", "%")) {
        if (name.contains(part)) {
          errors.add(FieldError.invalid("metadata.name", shown, "may not contain '" + part + "'"));
        }
      }
      return errors;
    }
    boolean label = type.kind().equals("Service") && type.group().isEmpty();
    int longest = label ? MAX_LABEL : MAX_NAME;
    if (name.length() > longest) {
      String why = "must be no more than " + longest + " characters";
      errors.add(FieldError.invalid("metadata.name", shown, why));
    }
    if (!(label ? LABEL : SUBDOMAIN).matcher(name).matches()) {
      String rule = label ? LABEL_RULE : LabelSyntax.SUBDOMAIN_RULE;
      errors.add(FieldError.invalid("metadata.name", shown, rule));
    }
    return errors;
  }

  private static List<FieldError> finalizers(ResourceType type, Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    int index = 0;
    for (String finalizer : meta.finalizers()) {
      String shown = FieldError.quoted(finalizer);
      errors.addAll(LabelSyntax.ofName("metadata.finalizers", finalizer, finalizer));
      if (!type.custom()
          && STANDARD_FINALIZERS.contains(type.group())
          && !finalizer.contains("/")
          && !FieldValidation.STANDARD_FINALIZERS.contains(finalizer)) {
        errors.add(
            FieldError.invalid(
                "metadata.finalizers[" + index + "]",
                shown,
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
          List.of(
              FieldError.invalid("metadata.uid", '"' + patched.uid() + '"', "field is immutable")));
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
  public static void restore(ResourceType type, Meta old, Meta now, boolean dryRun) {
    GroupResource resource = type.resource();
    if (!now.uid().isEmpty() && !now.uid().equals(old.uid())) {
      throw otherUid(type, old.key(), now.uid(), old.uid(), dryRun);
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
                    "metadata.resourceVersion", "0", "must be specified for an update")));
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
      String why = "strconv.ParseUint: parsing \"%s\": invalid syntax";
      throw StatusException.of(500, "", why.formatted(version));
    }
  }

  /**
   * Returns the conflict for a request whose uid differs from that of the existing object.
   *
   * @param uid the uid of the existing object; empty if there is none
   */
  public static StatusException otherUid(
      ResourceType type, ObjectKey key, String expected, String uid, boolean dryRun) {
    String directory = type.custom() ? type.group() + "/" + type.plural() : type.plural();
    String why =
        "StorageError: invalid object, Code: 4, Key: %s/%s/%s/%s, ResourceVersion: 0,"
            + " AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object"
            + " meta: %s";
    return StatusException.conflict(
        type.resource(),
        key.name(),
        why.formatted(
            dryRun ? "" : "/registry",
            DIRECTORIES.getOrDefault(directory, directory),
            key.namespace(),
            key.name(),
            expected,
            uid));
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
        String names = added.stream().map(f -> '"' + f + '"').collect(Collectors.joining(", "));
        errors.add(
            FieldError.forbidden(
                "metadata.finalizers",
                "no new finalizers can be added if the object is being deleted, found new"
                    + " finalizers []string{%s}".formatted(names)));
      }
    }
    for (String field : IMMUTABLE) {
      JsonNode value = now.json().path(field);
      if (!value.asText().equals(old.text(field))) {
        errors.add(FieldError.invalid("metadata." + field, value, "field is immutable"));
      }
    }
    errors.addAll(LabelRules.of(now));
    errors.addAll(owners(now));
    errors.addAll(finalizers(type, now));
    return errors;
  }

  private static List<FieldError> owners(Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    List<String> controllers = new ArrayList<>();
    for (ObjectNode owner : meta.owners()) {
      for (String field : List.of("apiVersion", "kind", "name", "uid")) {
        if (owner.path(field).asText("").isEmpty()) {
          errors.add(
              FieldError.invalid(
                  "metadata.ownerReferences." + field,
                  "\"\"",
                  (field.equals("apiVersion") ? "version " : "") + "must not be empty"));
        }
      }
      if (owner.path("controller").asBoolean()) {
        controllers.add(owner.path("kind").asText() + "/" + owner.path("name").asText());
      }
    }
    for (int i = 1; i < controllers.size(); i++) {
      errors.add(
          FieldError.invalid(
              "metadata.ownerReferences",
              meta.json().path("ownerReferences"),
              "Only one reference can have Controller set to true. Found \"true\" in references"
                  + " for %s and %s".formatted(controllers.get(0), controllers.get(i))));
    }
    return errors;
  }
}
