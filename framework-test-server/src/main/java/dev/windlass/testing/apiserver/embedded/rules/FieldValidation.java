// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldShape;
import dev.windlass.testing.apiserver.embedded.ownership.TypedConfiguration;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.schema.SchemaPruning;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.BuiltInValues;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks the objects in requests for unknown fields, that is, fields that their type does not have.
 * The query parameter {@code fieldValidation} specifies the mode: {@code Strict} rejects unknown
 * fields, {@code Warn} (the default) sends a warning for each of them, and {@code Ignore} drops
 * them without a warning.
 */
public final class FieldValidation {
  private static final String PARAMETER = "fieldValidation";
  private static final String WARN = "Warn";
  private static final String STRICT = "Strict";
  static final List<String> STANDARD_FINALIZERS =
      List.of("kubernetes", "orphan", "foregroundDeletion");
  private static final int LONGEST_MANAGER = 128;
  private static final List<String> MODES = List.of("", "Ignore", STRICT, WARN);

  private final ApiRequest request;
  private final String mode;
  private final Consumer<String> warnings;
  private final List<String> later = new ArrayList<>();

  /**
   * Creates an instance for a write request.
   *
   * @param warnings the consumer that receives the text of each warning
   * @throws StatusException 422 if an option of the request is invalid
   */
  public FieldValidation(ApiRequest request, Consumer<String> warnings) {
    this(request, false, warnings);
  }

  /**
   * Creates an instance for a write request.
   *
   * @param apply whether the request is a server-side apply request
   * @throws StatusException 422 if an option of the request is invalid
   */
  public FieldValidation(ApiRequest request, boolean apply, Consumer<String> warnings) {
    this.request = request;
    this.warnings = warnings;
    mode = request.parameter(PARAMETER);
    List<FieldError> errors = new ArrayList<>();
    String manager = request.parameter("fieldManager");
    if (apply && manager.isEmpty()) {
      errors.add(FieldError.required("fieldManager", "is required for apply patch"));
    } else if (!apply && request.verb() == Verb.PATCH && request.has("force")) {
      errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
    }
    if (manager.length() > LONGEST_MANAGER) {
      String why = "Too long: may not be more than %d bytes".formatted(LONGEST_MANAGER);
      errors.add(new FieldError(FieldError.Type.TOO_LONG, "fieldManager", why));
    }
    request.dryRunError().ifPresent(errors::add);
    if (!MODES.contains(mode)) {
      errors.add(FieldError.unsupported(PARAMETER, mode, MODES));
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", options(request.verb()), "", errors);
    }
  }

  private static String options(Verb verb) {
    return switch (verb) {
      case CREATE -> "CreateOptions";
      case PATCH -> "PatchOptions";
      default -> "UpdateOptions";
    };
  }

  /** Checks the types of the values in a request body, and checks for unknown fields. */
  public void checkBody(ObjectNode body) {
    mistyped(body).ifPresent(this::refuseBody);
    List<String> unknown = check(body);
    if (!unknown.isEmpty()) {
      refuseBody(strict(unknown));
    }
    warnOfFinalizers(body);
  }

  /**
   * Sends the collected warnings after a request has succeeded. Omits warnings about finalizers
   * that the object already had.
   *
   * @param old the object before the write; an empty object for a create
   */
  public void succeeded(ObjectNode old) {
    later.removeIf(
        text -> Meta.of(old).finalizers().stream().anyMatch(f -> text.contains("\"" + f + "\"")));
    later.forEach(warnings);
    later.clear();
  }

  /**
   * Collects warnings about finalizers whose names could conflict with other programs' finalizers.
   * {@link #succeeded} sends these warnings.
   */
  private void warnOfFinalizers(ObjectNode object) {
    if (request.type().custom()) {
      for (JsonNode finalizer : object.path("metadata").path("finalizers")) {
        String name = finalizer.asText();
        if (!name.contains("/") && !STANDARD_FINALIZERS.contains(name)) {
          later.add(
              "metadata.finalizers: \"%s\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"
                  .formatted(name));
        }
      }
    }
  }

  private void refuseBody(String why) {
    throw StatusException.badRequest("the body cannot be decoded: " + why);
  }

  private boolean scale() {
    return request.subresource().equals("scale");
  }

  /**
   * Returns the error message for the first value that has the wrong type, or empty if there is
   * none. In a custom resource, this method checks only the metadata.
   */
  private Optional<String> mistyped(ObjectNode object) {
    ResourceType type = request.type();
    if (type.custom() && !scale()) {
      return object.get("metadata") instanceof ObjectNode metadata
          ? BuiltInValues.firstMismatch(BuiltInSchemas.ofMetadata(), metadata)
          : Optional.empty();
    }
    return BuiltInValues.firstMismatch(
            scale() ? BuiltInSchemas.ofScale() : BuiltInSchemas.of(type), object)
        .or(() -> DataRules.decodingError(type.kind(), object));
  }

  /**
   * Checks the kind of a patched object and the types of its values, and checks for unknown fields.
   *
   * @param strategic whether the patch is a strategic merge patch, which cannot change the kind
   */
  public void checkPatched(ObjectNode patched, boolean strategic) {
    if (!scale() && !strategic) {
      BodyRules.patchError(request.type(), patched).ifPresent(why -> refusePatched(patched, why));
    }
    mistyped(patched).ifPresent(why -> refusePatched(patched, why));
    List<String> unknown = check(patched);
    if (!unknown.isEmpty()) {
      refusePatched(patched, strict(unknown));
    }
    warnOfFinalizers(patched);
  }

  private static void refusePatched(ObjectNode patched, String why) {
    FieldError error = FieldError.invalid("patch", TextNode.valueOf(patched.toString()), why);
    throw StatusException.invalid("", "", "", List.of(error));
  }

  /** Checks an applied configuration. Rejects unknown fields in every mode. */
  public void checkApplied(ObjectNode config) {
    warnOfFinalizers(config);
    ResourceType type = request.type();
    String itsVersion = config.path("apiVersion").asText("");
    String itsKind = config.path("kind").asText("");
    if (!itsVersion.equals(type.apiVersion()) || !itsKind.equals(type.kind())) {
      throw StatusException.badRequest(
          "the configuration is a %s of %s".formatted(itsKind, itsVersion));
    }
    List<String> errors = TypedConfiguration.errors(FieldShape.of(type), config);
    if (!errors.isEmpty()) {
      // Clients recognise an apply that does not fit the schema by these words.
      throw StatusException.of(
          500, "", "failed to create typed patch object: " + String.join("; ", errors));
    }
  }

  /** Checks that the Base64 values in an applied configuration can be decoded. */
  public void checkDecoding(ObjectNode config) {
    ResourceType type = request.type();
    Optional<String> error =
        type.custom() ? Optional.empty() : DataRules.decodingError(type.kind(), config);
    if (error.isPresent()) {
      throw StatusException.of(500, "", error.get());
    }
  }

  /**
   * Checks for unknown fields, unless the mode is {@code Ignore}. In the mode {@code Strict},
   * returns the paths of these fields, and the caller must reject the request. In the mode {@code
   * Warn}, sends a warning for each field and returns an empty list.
   */
  private List<String> check(ObjectNode object) {
    List<String> unknown = mode.equals("Ignore") ? List.of() : unknown(object);
    if (mode.equals(STRICT)) {
      return unknown;
    }
    unknown.forEach(path -> warnings.accept(text(path)));
    return List.of();
  }

  private List<String> unknown(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    return scale()
        ? BuiltInValues.prune(BuiltInSchemas.ofScale(), copy)
        : prune(request.type(), copy);
  }

  /** Prunes the unknown fields of an object in place and returns their paths. */
  static List<String> prune(ResourceType type, ObjectNode object) {
    ObjectNode schema = type.schema();
    if (schema == null) {
      return BuiltInValues.prune(BuiltInSchemas.of(type), object);
    }
    List<String> unknown = new ArrayList<>(SchemaPruning.prune(schema, object));
    if (object.get("metadata") instanceof ObjectNode metadata) {
      for (String field : BuiltInValues.prune(BuiltInSchemas.ofMetadata(), metadata)) {
        unknown.add("metadata." + field);
      }
    }
    Collections.sort(unknown);
    return unknown;
  }

  private static String strict(List<String> unknown) {
    return "strict decoding error: "
        + unknown.stream().map(FieldValidation::text).collect(Collectors.joining(", "));
  }

  private static String text(String path) {
    return "unknown field \"" + path + '"';
  }
}
