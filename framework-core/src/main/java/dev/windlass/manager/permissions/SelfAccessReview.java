// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import dev.windlass.rbac.Permission;
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
 * Determines which permissions the program lacks. Sends one SelfSubjectRulesReview per namespace to
 * the API server. Some authorizers cannot list the permissions that they grant. If the review does
 * not list a permission, this class therefore sends a SelfSubjectAccessReview for that permission.
 *
 * <p>Every authenticated user is permitted to send these requests. The methods block until the
 * server has responded. This class is thread-safe.
 */
public final class SelfAccessReview {

  /**
   * The name of a namespace that does not exist. A SelfSubjectRulesReview requires a namespace, and
   * its response does not separate cluster-wide rules from the rules of that namespace. For this
   * namespace, the response contains only cluster-wide rules.
   */
  static final String NOWHERE = "windlass-looks-for-cluster-wide-rules";

  private static final String ALL = "*";

  private final KubernetesClient client;

  SelfAccessReview(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Returns the permissions that the server does not grant, in sorted order.
   *
   * @throws KubernetesClientException if a request fails
   */
  List<Permission> missing(Collection<Permission> needed) {
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

  /**
   * Returns whether the granted resources include the given subresource through a wildcard such as
   * {@code *}{@code /scale}.
   */
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
}
