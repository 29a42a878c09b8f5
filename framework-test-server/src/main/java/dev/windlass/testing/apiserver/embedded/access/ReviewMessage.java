// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message in the protobuf encoding of Kubernetes, by their numbers. The messages
 * are those in the specs of reviews.
 */
record ReviewMessage(Map<Integer, Field> fields) {

  /**
   * A field.
   *
   * @param message the message in the field; null for a text or a number
   */
  record Field(String name, boolean repeated, @Nullable ReviewMessage message) {}

  private static final ReviewMessage RESOURCE_ATTRIBUTES =
      texts("namespace", "verb", "group", "version", "resource", "subresource", "name");
  private static final ReviewMessage PATH_ATTRIBUTES = texts("path", "verb");

  /** The spec of SelfSubjectAccessReview, SubjectAccessReview and LocalSubjectAccessReview. */
  static final ReviewMessage ACCESS =
      new ReviewMessage(
          Map.of(
              1, new Field("resourceAttributes", false, RESOURCE_ATTRIBUTES),
              2, new Field("nonResourceAttributes", false, PATH_ATTRIBUTES),
              3, new Field("user", false, null),
              4, new Field("groups", true, null),
              6, new Field("uid", false, null)));

  static final ReviewMessage RULES = texts("namespace");

  static final ReviewMessage TOKEN =
      new ReviewMessage(
          Map.of(
              1, new Field("token", false, null),
              2, new Field("audiences", true, null)));

  static final ReviewMessage TOKEN_REQUEST =
      new ReviewMessage(
          Map.of(
              1, new Field("audiences", true, null),
              4, new Field("expirationSeconds", false, null)));

  static final ReviewMessage NONE = new ReviewMessage(Map.of());

  ReviewMessage {
    fields = Map.copyOf(fields);
  }

  private static ReviewMessage texts(String... names) {
    Map<Integer, Field> fields = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      fields.put(i + 1, new Field(names[i], false, null));
    }
    return new ReviewMessage(fields);
  }

  /** Returns the message of a whole review, whose second field is the spec. */
  ReviewMessage inReview() {
    return new ReviewMessage(Map.of(2, new Field("spec", false, this)));
  }
}
