// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Parses an applied configuration in JSON or YAML. Uses the same YAML parser as fabric8. */
public final class ApplyBody {

  private static final KubernetesSerialization YAML =
      new KubernetesSerialization(new ObjectMapper(), false);

  private ApplyBody() {}

  /** Returns the object in {@code body}. Rejects any other content with status code 400. */
  public static ObjectNode parse(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    if (text.stripLeading().startsWith("{")) {
      return Json.parseObject(body);
    }
    try {
      if (YAML.unmarshal(text, JsonNode.class) instanceof ObjectNode object) {
        // The object is converted to bytes first, so that its numbers are represented as in all
        // other bodies.
        return Json.parseObject(Json.bytes(object));
      }
    } catch (KubernetesClientException | YamlEngineException | IllegalArgumentException e) {
      throw StatusException.badRequest("error decoding YAML: " + e.getMessage());
    }
    throw StatusException.badRequest("error decoding YAML: not an object");
  }
}
