// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static dev.windlass.testing.apiserver.embedded.ResourceType.Trait.GENERATION;
import static dev.windlass.testing.apiserver.embedded.ResourceType.Trait.NAMESPACED;
import static dev.windlass.testing.apiserver.embedded.ResourceType.Trait.ORPHANS_BY_DEFAULT;
import static dev.windlass.testing.apiserver.embedded.ResourceType.Trait.SCALE;
import static dev.windlass.testing.apiserver.embedded.ResourceType.Trait.STATUS;
import static dev.windlass.testing.apiserver.embedded.ResourceType.Trait.VERSIONED_UPDATE;

import dev.windlass.testing.apiserver.embedded.ResourceType.Names;
import dev.windlass.testing.apiserver.embedded.ResourceType.Trait;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The resources that the server has without any CustomResourceDefinition. */
final class BuiltInTypes {
  static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
  static final GroupResource DEPLOYMENTS = new GroupResource("apps", "deployments");
  static final GroupResource CRDS =
      new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

  private static final String RBAC = "rbac.authorization.k8s.io";

  private BuiltInTypes() {}

  static List<ResourceType> all() {
    return List.of(
        type("", "ConfigMap", List.of("cm"), NAMESPACED),
        type("", "Endpoints", List.of("ep"), NAMESPACED),
        type("", "Event", List.of("ev"), NAMESPACED),
        type("", "Namespace", List.of("ns"), STATUS),
        type("", "Node", List.of("no"), STATUS),
        type("", "PersistentVolume", List.of("pv"), STATUS),
        type("", "PersistentVolumeClaim", List.of("pvc"), NAMESPACED, STATUS),
        type("", "Pod", List.of("po"), NAMESPACED, STATUS, GENERATION),
        type("", "Secret", List.of(), NAMESPACED),
        type("", "Service", List.of("svc"), NAMESPACED, STATUS),
        type("", "ServiceAccount", List.of("sa"), NAMESPACED),
        type("apps", "DaemonSet", List.of("ds"), NAMESPACED, STATUS, GENERATION),
        type("apps", "Deployment", List.of("deploy"), NAMESPACED, STATUS, GENERATION, SCALE),
        type("apps", "ReplicaSet", List.of("rs"), NAMESPACED, STATUS, GENERATION, SCALE),
        type("apps", "StatefulSet", List.of("sts"), NAMESPACED, STATUS, GENERATION, SCALE),
        type("batch", "Job", List.of(), NAMESPACED, STATUS, GENERATION, ORPHANS_BY_DEFAULT),
        type("batch", "CronJob", List.of("cj"), NAMESPACED, STATUS, GENERATION),
        type("coordination.k8s.io", "Lease", List.of(), NAMESPACED, VERSIONED_UPDATE),
        type(EventForms.NEWER.group(), "Event", List.of("ev"), NAMESPACED),
        type("networking.k8s.io", "Ingress", List.of("ing"), NAMESPACED, STATUS, GENERATION),
        type("networking.k8s.io", "NetworkPolicy", List.of("netpol"), NAMESPACED, GENERATION),
        type(RBAC, "ClusterRole", List.of()),
        type(RBAC, "ClusterRoleBinding", List.of()),
        type(RBAC, "Role", List.of(), NAMESPACED),
        type(RBAC, "RoleBinding", List.of(), NAMESPACED),
        type(
            CRDS.group(),
            "CustomResourceDefinition",
            List.of("crd", "crds"),
            STATUS,
            GENERATION,
            VERSIONED_UPDATE));
  }

  private static ResourceType type(
      String group, String kind, List<String> shortNames, Trait... traits) {
    String singular = kind.toLowerCase(Locale.ROOT);
    return new ResourceType(
        new GroupResource(group, plural(singular)),
        "v1",
        new Names(kind, kind + "List", singular, shortNames),
        Set.of(traits),
        null);
  }

  private static String plural(String singular) {
    if (singular.equals("endpoints")) {
      return singular;
    }
    if (singular.endsWith("ss")) {
      return singular + "es";
    }
    return singular.endsWith("y")
        ? singular.substring(0, singular.length() - 1) + "ies"
        : singular + "s";
  }
}
