// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The options of a delete request.
 *
 * @param propagation the propagation policy
 * @param uid the uid that the object must have; empty for no precondition
 * @param resourceVersion the resourceVersion that the object must have; empty for no precondition
 * @param dryRun whether the request is a dry run
 */
public record DeleteOptions(
    Propagation propagation, String uid, String resourceVersion, boolean dryRun) {

  /** The propagation policies, which determine how a delete affects the object's dependents. */
  public enum Propagation {
    /** The object's finalizers determine the policy, or else the default of its kind. */
    DEFAULT,
    /** The garbage collector deletes the dependents after the object. */
    BACKGROUND,
    /** The garbage collector deletes the dependents before the object. */
    FOREGROUND,
    /** The garbage collector does not delete the dependents. */
    ORPHAN
  }

  private static final Map<String, Propagation> POLICIES =
      Map.of(
          "Background", Propagation.BACKGROUND,
          "Foreground", Propagation.FOREGROUND,
          "Orphan", Propagation.ORPHAN);

  /** Returns options without preconditions. */
  public static DeleteOptions of(Propagation propagation) {
    return new DeleteOptions(propagation, "", "", false);
  }

  /**
   * Reads the options from a request body, or from the query parameters if the body is empty. If
   * there is a body, the query parameters have no effect.
   */
  public static DeleteOptions of(ApiRequest request, byte[] body) {
    ObjectNode json = json(request, body);
    String policy = json.path("propagationPolicy").asText("");
    List<FieldError> errors = new ArrayList<>();
    if (json.hasNonNull("orphanDependents") && !policy.isEmpty()) {
      String why = "orphanDependents and deletionPropagation cannot be both set";
      errors.add(FieldError.invalid("propagationPolicy", policy, why));
    }
    if (!policy.isEmpty() && !POLICIES.containsKey(policy)) {
      List<String> supported = List.of("Foreground", "Background", "Orphan", "nil");
      errors.add(FieldError.unsupported("propagationPolicy", policy, supported));
    }
    String dryRun = json.path("dryRun").path(0).asText("");
    ApiRequest.dryRunError(dryRun).ifPresent(errors::add);
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "DeleteOptions", "", errors);
    }
    Propagation propagation = POLICIES.getOrDefault(policy, Propagation.DEFAULT);
    if (json.hasNonNull("orphanDependents")) {
      boolean orphan = json.path("orphanDependents").asBoolean();
      propagation = orphan ? Propagation.ORPHAN : Propagation.BACKGROUND;
    }
    return new DeleteOptions(
        propagation,
        json.path("preconditions").path("uid").asText(""),
        json.path("preconditions").path("resourceVersion").asText(""),
        !dryRun.isEmpty());
  }

  /**
   * Returns the options as a JSON object, which contains only the options that the request
   * specifies.
   */
  public static ObjectNode json(ApiRequest request, byte[] body) {
    return body.length == 0 ? ofQuery(request) : ofBody(body);
  }

  private static ObjectNode ofQuery(ApiRequest request) {
    ObjectNode json = Json.object();
    if (request.has("propagationPolicy")) {
      json.put("propagationPolicy", request.parameter("propagationPolicy"));
    }
    if (request.has("orphanDependents")) {
      json.put("orphanDependents", request.flag("orphanDependents"));
    }
    if (request.dryRun()) {
      json.putArray("dryRun").add(request.parameter("dryRun"));
    }
    if (request.has("gracePeriodSeconds")) {
      json.put("gracePeriodSeconds", request.number("gracePeriodSeconds"));
    }
    for (String precondition : List.of("uid", "resourceVersion")) {
      if (request.has(precondition)) {
        json.withObject("/preconditions").put(precondition, request.parameter(precondition));
      }
    }
    return json;
  }

  private static ObjectNode ofBody(byte[] body) {
    return Json.parse(body, why -> StatusException.of(500, "", why)) instanceof ObjectNode object
        ? object
        : Json.object();
  }
}
