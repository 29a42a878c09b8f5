// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.BuiltInValues;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decodes the bodies of create and update requests. Checks that the body is an object of the
 * request's kind, and has the request's name and namespace.
 */
public final class BodyRules {
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
    ObjectNode object = Json.parseObject(body);
    ResourceType type = request.type();
    String itsKind = object.path("kind").asText("");
    String itsVersion = object.path("apiVersion").asText("");
    if (type.custom() && kind.equals(type.kind())) {
      if (itsKind.isEmpty()) {
        throw StatusException.badRequest("the object has no kind");
      }
      if (object.get("metadata") instanceof ObjectNode metadata) {
        BuiltInValues.firstMismatch(BuiltInSchemas.ofMetadata(), metadata)
            .ifPresent(why -> refuse(why));
      }
      if (!itsVersion.equals(apiVersion)) {
        refuse("its apiVersion is '" + itsVersion + "'");
      }
      checkKind(type, object);
    } else if (!Set.of("", kind).contains(itsKind)
        || !Set.of("", apiVersion).contains(itsVersion)) {
      refuse("it is a " + itsKind + " of " + itsVersion);
    }
    return object;
  }

  private void refuse(String why) {
    throw StatusException.badRequest(
        "the object cannot be handled as a %s of %s: %s".formatted(kind, apiVersion, why));
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
      errors.add(FieldError.invalid("kind", kind, "must be " + type.kind()));
    }
    if (!version.equals(type.apiVersion())) {
      String why = "must be " + type.apiVersion();
      errors.add(FieldError.invalid("apiVersion", version, why));
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
      return Optional.of("it has no kind");
    } else if (type.custom()) {
      if (patched.path("metadata").path("name").isTextual()) {
        checkKind(type, patched);
      }
    } else if (!kind.isEmpty()
        && !version.isEmpty()
        && !(kind.equals(type.kind()) && version.equals(type.apiVersion()))) {
      return Optional.of("it is a " + kind + " of " + version);
    }
    return Optional.empty();
  }

  /**
   * Checks the name and the namespace in the body of an update. The body can omit the namespace.
   *
   * @throws StatusException 400 if they differ from the request's name and namespace
   */
  public void checkPlace(ObjectNode body) {
    MetadataRules.checkPlace(Meta.of(body), request.key());
  }

  /**
   * Checks the name and the namespace of an applied configuration. The configuration can omit them.
   *
   * @throws StatusException 400 if they differ from the request's name and namespace
   */
  public void checkApplied(ObjectNode config) {
    Meta meta = Meta.of(config);
    MetadataRules.checkNamespace(meta, request.namespace());
    if (meta.json().path("name").isTextual()) {
      checkPlace(config);
    }
  }
}
