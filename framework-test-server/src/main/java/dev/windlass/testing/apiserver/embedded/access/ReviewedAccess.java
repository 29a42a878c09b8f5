// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.types.ReviewType;
import java.util.ArrayList;
import java.util.List;

/** Reads the spec of an access review, which describes the request to check. */
final class ReviewedAccess {
  private static final String RESOURCE = "resourceAttributes";
  private static final String PATH = "nonResourceAttributes";

  private ReviewedAccess() {}

  /**
   * Returns the request that an access review describes.
   *
   * @throws StatusException 422 if the spec is invalid
   */
  static AccessRequest of(ReviewType type, UserInfo user, JsonNode spec) {
    List<FieldError> errors = new ArrayList<>();
    boolean resource = spec.path(RESOURCE).isObject();
    boolean path = spec.path(PATH).isObject();
    String both = "spec." + PATH;
    if (resource && path) {
      String why = "cannot be specified in combination with resourceAttributes";
      errors.add(FieldError.invalid(both, FieldError.quoted("nil"), why));
    } else if (!resource && !path) {
      String why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
      errors.add(FieldError.invalid("spec." + RESOURCE, "null", why));
    }
    if (type != ReviewType.SELF_SUBJECT_ACCESS_REVIEW
        && user.name().isEmpty()
        && user.groups().isEmpty()) {
      String why = "at least one of user or group must be specified";
      errors.add(FieldError.invalid("spec.user", "\"\"", why));
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid(type.group(), type.kind(), "", errors);
    }
    if (path) {
      JsonNode attributes = spec.path(PATH);
      return AccessRequest.ofPath(text(attributes, "verb"), text(attributes, "path"));
    }
    JsonNode attributes = spec.path(RESOURCE);
    return new AccessRequest(
        text(attributes, "verb"),
        text(attributes, "group"),
        text(attributes, "resource"),
        text(attributes, "subresource"),
        text(attributes, "namespace"),
        text(attributes, "name"),
        "");
  }

  private static String text(JsonNode attributes, String field) {
    return attributes.path(field).asText("");
  }
}
