// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Encodes responses as {@code AdmissionReview}s. */
final class ReviewResponse {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ReviewResponse() {}

  /** Returns a response body with the given verdict. */
  static byte[] of(ReviewRequest request, ResourceType type, Verdict verdict) {
    ObjectNode response = JSON.objectNode();
    response.put("uid", request.uid()).put("allowed", verdict.allowed());
    if (!verdict.allowed()) {
      response.set("status", status(request, type, verdict));
    }
    if (!verdict.warnings().isEmpty()) {
      ArrayNode warnings = response.putArray("warnings");
      verdict.warnings().forEach(warnings::add);
    }
    return bytes(response);
  }

  /**
   * Returns a response body that allows the request and changes its object with the given patch.
   */
  static byte[] of(ReviewRequest request, ArrayNode patch) {
    ObjectNode response = JSON.objectNode();
    response.put("uid", request.uid()).put("allowed", true);
    if (!patch.isEmpty()) {
      response.put("patchType", "JSONPatch");
      response.put("patch", patch.toString().getBytes(StandardCharsets.UTF_8)); // as base64
    }
    return bytes(response);
  }

  private static byte[] bytes(ObjectNode response) {
    ObjectNode review = JSON.objectNode();
    review.put("apiVersion", ReviewRequest.API_VERSION).put("kind", ReviewRequest.KIND);
    review.set("response", response);
    return review.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode status(ReviewRequest request, ResourceType type, Verdict verdict) {
    ObjectNode status = JSON.objectNode();
    status.put("status", "Failure").put("code", verdict.code());
    if (verdict.errors().isEmpty()) {
      return status.put("reason", "Forbidden").put("message", verdict.message());
    }
    status.put("reason", "Invalid").put("message", message(request, type, verdict));
    ObjectNode details = status.putObject("details");
    details.put("name", request.name()).put("group", type.group()).put("kind", type.kind());
    ArrayNode causes = details.putArray("causes");
    for (FieldError error : verdict.errors()) {
      causes
          .addObject()
          .put("reason", error.type().reason())
          .put("message", error.message())
          .put("field", error.path());
    }
    return status;
  }

  /** Returns the error message in the format that the API server uses for invalid fields. */
  private static String message(ReviewRequest request, ResourceType type, Verdict verdict) {
    String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
    String errors =
        verdict.errors().size() == 1
            ? verdict.explanation()
            : verdict.errors().stream()
                .map(FieldError::toString)
                .collect(Collectors.joining(", ", "[", "]"));
    return kind + " \"" + request.name() + "\" is invalid: " + errors;
  }
}
