// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRule;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectRulesReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks the API server which rights the program has, and finds those that it lacks: one
 * SelfSubjectRulesReview per namespace. What that does not show is asked for one by one before it
 * is called missing, since not every authorizer can list what it grants.
 *
 * <p>Every authenticated user may ask that. Blocks for the requests; safe for use by any thread.
 */
public final class SelfCheck {

  /**
   * A namespace that nobody has, in which only those rules hold that hold in all namespaces: a
   * review needs one, and its answer does not tell them from those of the namespace.
   */
  static final String NOWHERE = "windlass-looks-for-cluster-wide-rules";

  private static final String ALL = "*";

  private final KubernetesClient client;

  /** Asks as whom the client is. */
  public SelfCheck(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Those of the permissions that the server does not grant, sorted.
   *
   * @throws KubernetesClientException if the server can't be asked
   */
  public List<Permission> missing(Collection<Permission> needed) {
    Map<String, List<ResourceRule>> rules = new HashMap<>();
    List<Permission> missing = new ArrayList<>();
    for (Permission permission : needed.stream().sorted().toList()) {
      String where = permission.namespace().isEmpty() ? NOWHERE : permission.namespace();
      if (rules.computeIfAbsent(where, this::rules).stream()
              .noneMatch(rule -> grants(rule, permission))
          && !isAllowed(permission)) {
        missing.add(permission);
      }
    }
    return missing;
  }

  private List<ResourceRule> rules(String namespace) {
    SelfSubjectRulesReview review =
        client
            .authorization()
            .v1()
            .selfSubjectRulesReview()
            .create(
                new SelfSubjectRulesReviewBuilder()
                    .withNewSpec()
                    .withNamespace(namespace)
                    .endSpec()
                    .build());
    SubjectRulesReviewStatus status = review == null ? null : review.getStatus();
    return status == null || status.getResourceRules() == null
        ? List.of()
        : status.getResourceRules();
  }

  static boolean grants(ResourceRule rule, Permission permission) {
    return has(rule.getApiGroups(), permission.group())
        && has(rule.getVerbs(), permission.verb().toString())
        && (has(rule.getResources(), permission.resource())
            || hasSubresource(rule.getResources(), permission.resource()))
        && (rule.getResourceNames() == null
            || rule.getResourceNames().isEmpty()
            || rule.getResourceNames().contains(permission.name()));
  }

  private static boolean has(List<String> granted, String wanted) {
    return granted.contains(ALL) || granted.contains(wanted);
  }

  /** Whether a rule such as one about {@code *}{@code /scale} names it. */
  private static boolean hasSubresource(List<String> granted, String resource) {
    int slash = resource.indexOf('/');
    return slash >= 0 && granted.contains(ALL + resource.substring(slash));
  }

  private boolean isAllowed(Permission permission) {
    int slash = permission.resource().indexOf('/');
    SelfSubjectAccessReview review =
        client
            .authorization()
            .v1()
            .selfSubjectAccessReview()
            .create(
                new SelfSubjectAccessReviewBuilder()
                    .withNewSpec()
                    .withResourceAttributes(
                        new ResourceAttributesBuilder()
                            .withNamespace(permission.namespace())
                            .withGroup(permission.group())
                            .withResource(
                                slash < 0
                                    ? permission.resource()
                                    : permission.resource().substring(0, slash))
                            .withSubresource(
                                slash < 0 ? "" : permission.resource().substring(slash + 1))
                            .withName(permission.name())
                            .withVerb(permission.verb().toString())
                            .build())
                    .endSpec()
                    .build());
    return review != null
        && review.getStatus() != null
        && Boolean.TRUE.equals(review.getStatus().getAllowed());
  }

  /** What to tell about a right that is missing: one sentence that says what to do. */
  public static String sentence(Permission missing) {
    return "This program may not "
        + missing
        + ", which it needs; add that to its "
        + (missing.namespace().isEmpty() ? "ClusterRole" : "Role")
        + " (Manager.rbac() prints all that it needs)";
  }
}
