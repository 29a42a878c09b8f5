// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.util.List;

/**
 * The options of a delete request.
 *
 * @param uid the uid that the object must have; empty for no precondition
 * @param resourceVersion the resourceVersion that the object must have; empty for no precondition
 */
public record DeleteOptions(
    Propagation propagation, String uid, String resourceVersion, boolean dryRun) {

  /**
   * The propagation policies, which determine how a delete affects the dependents of the object.
   */
  public enum Propagation {
    /** The default policy of the kind applies. */
    DEFAULT,
    /** Dependents are deleted after the object. */
    BACKGROUND,
    /** Dependents are deleted before the object. */
    FOREGROUND,
    /** Dependents are not deleted. */
    ORPHAN
  }

  /** Returns options without preconditions. */
  public static DeleteOptions of(Propagation propagation) {
    return new DeleteOptions(propagation, "", "", false);
  }

  /**
   * Reads the options from the query parameters and the body of a request. The body can be empty.
   */
  public static DeleteOptions of(ApiRequest request, byte[] body) {
    ObjectNode json = body.length == 0 ? Json.object() : Json.parseObject(body);
    String policy = json.path("propagationPolicy").asText("");
    boolean orphan = json.path("orphanDependents").asBoolean() || request.flag("orphanDependents");
    Propagation propagation =
        orphan
            ? Propagation.ORPHAN
            : propagation(policy.isEmpty() ? request.parameter("propagationPolicy") : policy);
    return new DeleteOptions(
        propagation,
        json.path("preconditions").path("uid").asText(""),
        json.path("preconditions").path("resourceVersion").asText(""),
        request.dryRun() || !json.path("dryRun").isEmpty());
  }

  private static Propagation propagation(String policy) {
    return switch (policy) {
      case "", "null" -> Propagation.DEFAULT;
      case "Background" -> Propagation.BACKGROUND;
      case "Foreground" -> Propagation.FOREGROUND;
      case "Orphan" -> Propagation.ORPHAN;
      default ->
          throw StatusException.invalid(
              "meta.k8s.io",
              "DeleteOptions",
              "",
              List.of(
                  FieldError.invalid(
                      "propagationPolicy",
                      '"' + policy + '"',
                      "must be one of Foreground, Background, Orphan or nil")));
    };
  }
}
