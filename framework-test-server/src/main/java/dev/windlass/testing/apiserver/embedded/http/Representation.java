// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The form in which a client requests objects: whole objects, or only their metadata.
 *
 * @param form the requested form
 * @param apiVersion the API version of the metadata, {@code meta.k8s.io/v1} or {@code
 *     meta.k8s.io/v1beta1}; empty for whole objects
 */
public record Representation(Form form, String apiVersion) {

  /** The forms, which correspond to the supported values of the media type parameter {@code as}. */
  public enum Form {
    /** Whole objects and lists. */
    WHOLE(""),
    /** The metadata of one object. */
    METADATA("PartialObjectMetadata"),
    /** The metadata of a list's items. */
    METADATA_LIST("PartialObjectMetadataList");

    private final String kind;

    Form(String kind) {
      this.kind = kind;
    }
  }

  public static final Representation WHOLE = new Representation(Form.WHOLE, "");

  private static final List<String> VERSIONS = List.of("v1", "v1beta1");

  /**
   * Returns the form that an {@code Accept} header requests. If the header contains several media
   * types, the first one that this server supports determines the form. Without the parameter
   * {@code as}, any media type requests whole objects.
   *
   * @throws StatusException if every media type in the header requests an unknown form
   */
  public static Representation of(String accept) {
    for (String mediaType : accept.split(",", -1)) {
      Map<String, String> parameters = parameters(mediaType);
      String as = parameters.getOrDefault("as", "");
      String version = parameters.getOrDefault("v", "");
      boolean known =
          parameters.getOrDefault("g", "").equals("meta.k8s.io") && VERSIONS.contains(version);
      if (as.isEmpty()) {
        return WHOLE;
      }
      for (Form form : Form.values()) {
        if (known && mediaType.strip().startsWith("application/json") && as.equals(form.kind)) {
          return new Representation(form, "meta.k8s.io/" + version);
        }
      }
    }
    throw notAcceptable("only the following media types are accepted: application/json");
  }

  private static Map<String, String> parameters(String mediaType) {
    Map<String, String> parameters = new HashMap<>();
    for (String parameter : mediaType.split(";", -1)) {
      String[] parts = parameter.split("=", 2);
      if (parts.length == 2) {
        parameters.put(parts[0].strip(), parts[1].strip());
      }
    }
    return parameters;
  }

  private static StatusException notAcceptable(String why) {
    return StatusException.of(406, "NotAcceptable", why);
  }

  /**
   * Converts a response to this form. Returns a {@code Status} object unchanged.
   *
   * @throws StatusException if the form is the metadata of one object and the response is a list,
   *     or vice versa
   */
  public ObjectNode of(ResourceType type, ObjectNode answer) {
    if (form == Form.WHOLE || answer.path("kind").asText().equals("Status")) {
      return answer;
    }
    boolean list = answer.path("kind").asText().equals(type.names().listKind());
    if (list && form == Form.METADATA) {
      throw notAcceptable(
          "you requested %s, but the requested object is a list".formatted(form.kind));
    }
    if (!list && form == Form.METADATA_LIST) {
      throw type.custom()
          ? StatusException.of(500, "", "content is not a list")
          : notAcceptable(
              "you requested %s, but the requested object is not a list".formatted(form.kind));
    }
    if (!list) {
      return metadataOf(answer);
    }
    ObjectNode result = Json.object().put("kind", form.kind).put("apiVersion", apiVersion);
    result.set("metadata", answer.path("metadata"));
    ArrayNode items = result.putArray("items");
    for (JsonNode item : answer.path("items")) {
      items.add(metadataOf(item));
    }
    return result;
  }

  /** Converts the object in a watch event to this form. */
  public ObjectNode object(ResourceType type, ObjectNode object) {
    return form == Form.WHOLE ? object : metadataOf(object);
  }

  private ObjectNode metadataOf(JsonNode object) {
    ObjectNode partial = Json.object();
    partial.put("kind", Form.METADATA.kind).put("apiVersion", apiVersion);
    partial.set("metadata", object.path("metadata"));
    return partial;
  }
}
