// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.BuiltInValues;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Decodes the bodies of create and update requests. Checks that the body is an object of the
 * request's kind, and has the request's name and namespace.
 */
public final class BodyRules {
  private static final int SUMMARY = 30;

  private final ApiRequest request;
  private final String kind;
  private final String apiVersion;

  public BodyRules(ApiRequest request) {
    this.request = request;
    boolean scale = request.subresource().equals("scale");
    this.kind = scale ? "Scale" : request.type().kind();
    this.apiVersion = scale ? "autoscaling/v1" : request.type().apiVersion();
  }

  /**
   * Decodes the object in a request body.
   *
   * @throws StatusException 400 or 422 if the body is not a JSON object of the request's kind
   */
  public ObjectNode decode(byte[] body) {
    if (!(Json.parse(body, why -> unrecognized(why, body)) instanceof ObjectNode object)) {
      throw unrecognized(
          "couldn't get version/kind; json parse error: json: cannot unmarshal", body);
    }
    String itsKind = object.path("kind").asText("");
    String itsVersion = object.path("apiVersion").asText("");
    boolean custom = request.type().custom() && kind.equals(request.type().kind());
    if (custom && itsKind.isEmpty()) {
      throw unrecognized("Object 'Kind' is missing in '" + text(body) + "'", body);
    }
    ResourceType type = request.type();
    String version = itsVersion.isEmpty() ? apiVersion : itsVersion;
    String shortVersion = version.substring(version.indexOf('/') + 1);
    boolean kindDiffers = !itsKind.isEmpty() && !itsKind.equals(kind);
    if (custom && object.get("metadata") instanceof ObjectNode metadata) {
      BuiltInValues.firstMismatch(BuiltInSchemas.ofMetadata(), metadata)
          .ifPresent(why -> refuse(itsKind, shortVersion, why));
    }
    if (custom && !itsVersion.equals(apiVersion)) {
      throw StatusException.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(itsVersion, apiVersion));
    }
    if (custom) {
      checkKind(request.type(), object);
    }
    if (kindDiffers || !version.equals(apiVersion)) {
      String shown = itsKind.isEmpty() ? kind : itsKind;
      throw StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/runtime/scheme.go:110\""
              .formatted(shown, shortVersion, type.kind(), shown, version));
    }
    return object;
  }

  /**
   * Checks the kind and the version of a custom resource, and reports mismatches as validation
   * errors.
   *
   * @throws StatusException 422 if the kind or the version is not that of the type
   */
  private static void checkKind(ResourceType type, ObjectNode object) {
    String kind = object.path("kind").asText("");
    String version = object.path("apiVersion").asText("");
    List<FieldError> errors = new ArrayList<>();
    if (!kind.equals(type.kind())) {
      errors.add(FieldError.invalid("kind", FieldError.quoted(kind), "must be " + type.kind()));
    }
    if (!version.equals(type.apiVersion())) {
      String why = "must be " + type.apiVersion();
      errors.add(FieldError.invalid("apiVersion", FieldError.quoted(version), why));
    }
    if (!errors.isEmpty()) {
      String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
      String name = object.path("metadata").path("name").asText("");
      throw StatusException.invalid(group, kind, name, errors);
    }
  }

  /**
   * Checks the kind and the version of a patched object. Returns the error message if a custom
   * resource has no kind, or if an object of a built-in type has another kind or version.
   *
   * @throws StatusException 422 if a custom resource has another kind or version
   */
  static Optional<String> patchError(ResourceType type, ObjectNode patched) {
    String kind = patched.path("kind").asText("");
    String version = patched.path("apiVersion").asText("");
    if (type.custom() && kind.isEmpty()) {
      return Optional.of("Object 'Kind' is missing in '" + patched + "'");
    } else if (type.custom()) {
      if (patched.path("metadata").path("name").isTextual()) {
        checkKind(type, patched);
      }
    } else if (!kind.isEmpty()
        && !version.isEmpty()
        && !(kind.equals(type.kind()) && version.equals(type.apiVersion()))) {
      return Optional.of(
          "no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/runtime/scheme.go:110\""
              .formatted(kind, version));
    }
    return Optional.empty();
  }

  private void refuse(String itsKind, String version, String why) {
    throw StatusException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(itsKind, version, kind, why));
  }

  private StatusException unrecognized(String why, byte[] body) {
    if (request.parameter("fieldValidation").equals("Ignore") && why.startsWith("Object ")) {
      return StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: %s"
              .formatted(kind, request.type().version(), kind, why));
    }
    return StatusException.badRequest(
        "the object provided is unrecognized (must be of type %s): %s (%s)"
            .formatted(kind, why, summary(body)));
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static String summary(byte[] body) {
    String text = text(body);
    if (text.isEmpty()) {
      return "<empty>";
    }
    boolean json = text.startsWith("{");
    String all = json ? text : HexFormat.of().formatHex(body);
    int limit = json ? SUMMARY : 2 * SUMMARY;
    return all.length() > limit ? all.substring(0, limit) + " ..." : all;
  }

  /**
   * Checks the name and the namespace in the body of an update. The body can omit the namespace.
   *
   * @throws StatusException 400 if they differ from the request's name and namespace
   */
  public void checkPlace(ObjectNode body) {
    JsonNode metadata = body.path("metadata");
    String name = metadata.path("name").asText("");
    checkNamespace(body);
    if (name.isEmpty()) {
      throw StatusException.badRequest(
          "the name of the object (%s based on URL) was undeterminable: name must be provided"
              .formatted(request.name()));
    }
    if (!name.equals(request.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, request.name()));
    }
  }

  /**
   * Checks an object's namespace, if it has one.
   *
   * @throws StatusException 400 if it differs from the request's namespace
   */
  private void checkNamespace(ObjectNode body) {
    String namespace = body.path("metadata").path("namespace").asText("");
    if (!namespace.isEmpty() && !namespace.equals(request.namespace())) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  /**
   * Checks the name and the namespace of an applied configuration. The configuration can omit them.
   *
   * @throws StatusException 400 if they differ from the request's name and namespace
   */
  public void checkApplied(ObjectNode config) {
    checkNamespace(config);
    if (config.path("metadata").path("name").isTextual()) {
      checkPlace(config);
    }
  }
}
