// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;

/** Creates the AdmissionReviews that webhooks receive. */
final class AdmissionReviews {
  private AdmissionReviews() {}

  /**
   * Returns the AdmissionReview for a write.
   *
   * @param write the write, in the version of the resource that the webhook reviews
   * @param requested the resource type, in the version that the client requested
   */
  static ObjectNode of(
      AdmissionReviewVersion version, String uid, WriteAttributes write, ResourceType requested) {
    ObjectNode review = Json.object().put("kind", "AdmissionReview");
    review.put("apiVersion", version.apiVersion());
    ObjectNode request = Json.object().put("uid", uid);
    request.setAll(request(write, requested));
    review.set("request", request);
    return review;
  }

  /**
   * Returns the value of the {@code request} field of an AdmissionReview, without the {@code uid}.
   *
   * @param requested the resource type, in the version that the client requested
   */
  static ObjectNode request(WriteAttributes write, ResourceType requested) {
    ObjectNode request = Json.object();
    request.set("kind", kind(write.type(), write.subresource()));
    request.set("resource", resource(write.type()));
    putUnlessEmpty(request, "subResource", write.subresource());
    request.set("requestKind", kind(requested, write.subresource()));
    request.set("requestResource", resource(requested));
    putUnlessEmpty(request, "requestSubResource", write.subresource());
    putUnlessEmpty(request, "name", write.name());
    putUnlessEmpty(request, "namespace", write.namespace());
    request.put("operation", write.operation().name());
    request.set("userInfo", write.user().json());
    putObject(request, "object", write.object());
    putObject(request, "oldObject", write.old());
    request.put("dryRun", write.dryRun());
    request.set("options", write.options());
    return request;
  }

  private static void putUnlessEmpty(ObjectNode request, String field, String value) {
    if (!value.isEmpty()) {
      request.put(field, value);
    }
  }

  private static void putObject(ObjectNode request, String field, ObjectNode object) {
    if (object.isEmpty()) {
      request.putNull(field);
    } else {
      request.set(field, object);
    }
  }

  private static ObjectNode kind(ResourceType type, String subresource) {
    boolean scale = subresource.equals("scale");
    return Json.object()
        .put("group", scale ? "autoscaling" : type.group())
        .put("version", scale ? "v1" : type.version())
        .put("kind", scale ? "Scale" : type.kind());
  }

  private static ObjectNode resource(ResourceType type) {
    return Json.object()
        .put("group", type.group())
        .put("version", type.version())
        .put("resource", type.plural());
  }
}
