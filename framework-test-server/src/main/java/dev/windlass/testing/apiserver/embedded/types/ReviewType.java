// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The review resources, such as TokenReview. A client sends a query as a create request, and the
 * server returns the result without storing an object.
 */
public enum ReviewType {
  SELF_SUBJECT_REVIEW("authentication.k8s.io", "SelfSubjectReview"),
  TOKEN_REVIEW("authentication.k8s.io", "TokenReview"),
  SELF_SUBJECT_ACCESS_REVIEW("authorization.k8s.io", "SelfSubjectAccessReview"),
  SELF_SUBJECT_RULES_REVIEW("authorization.k8s.io", "SelfSubjectRulesReview"),
  SUBJECT_ACCESS_REVIEW("authorization.k8s.io", "SubjectAccessReview");

  public static final String VERSION = "v1";
  private static final Set<String> REVIEW_GROUPS =
      Set.of("authentication.k8s.io", "authorization.k8s.io");

  private final String group;
  private final String kind;

  ReviewType(String group, String kind) {
    this.group = group;
    this.kind = kind;
  }

  static List<ReviewType> ofGroup(String group) {
    return Arrays.stream(values()).filter(type -> type.group.equals(group)).toList();
  }

  /** Returns the review resource that a request path addresses, or empty if it addresses none. */
  public static Optional<ReviewType> at(List<String> path) {
    return path.size() > 3 && REVIEW_GROUPS.contains(path.get(1))
        ? Arrays.stream(values()).filter(type -> type.isAt(path)).findFirst()
        : Optional.empty();
  }

  private boolean isAt(List<String> path) {
    return path.equals(List.of("apis", group, VERSION, plural()));
  }

  public String group() {
    return group;
  }

  public String kind() {
    return kind;
  }

  public String plural() {
    return singular() + "s";
  }

  String singular() {
    return kind.toLowerCase(Locale.ROOT);
  }
}
