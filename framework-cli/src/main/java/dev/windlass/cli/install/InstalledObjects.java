// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an installation that depend on what the program declares. {@link
 * InstallationValue}s represent the values that are chosen at installation.
 *
 * @param name the name of the program, its roles and its webhooks' Service
 * @param labels each object's labels
 */
record InstalledObjects(String name, Map<String, String> labels) {

  private static final String RELEASE = InstallationValue.NAMESPACE.placeholder();
  private static final String CRD = "CustomResourceDefinition";
  private static final String SERVICE = "Service";

  /**
   * Returns the program's roles, each followed by the binding that grants it to the program's
   * ServiceAccount.
   */
  List<HasMetadata> roles(Permissions permissions) {
    List<HasMetadata> roles = permissions.roles(name);
    List<HasMetadata> bindings =
        permissions.bindings(name, RELEASE, InstallationValue.SERVICE_ACCOUNT.placeholder());
    List<HasMetadata> all = new ArrayList<>();
    for (int i = 0; i < roles.size(); i++) {
      HasMetadata role = roles.get(i);
      HasMetadata binding = bindings.get(i);
      String unique = roleName(name, role.getMetadata().getNamespace());
      role.getMetadata().setName(unique);
      binding.getMetadata().setName(unique);
      if (binding instanceof ClusterRoleBinding wide) {
        wide.getRoleRef().setName(unique);
      } else if (binding instanceof RoleBinding narrow) {
        narrow.getRoleRef().setName(unique);
      }
      all.add(labelled(role));
      all.add(labelled(binding));
    }
    return all;
  }

  /**
   * Returns the name of the program's role in a namespace, or the name of its ClusterRole if the
   * namespace is null. The program has no other role with this name in the same namespace, even if
   * two placeholders are replaced with the same namespace. Outside the program's own namespace, the
   * name also differs from the names that other installations use.
   */
  static String roleName(String name, @Nullable String namespace) {
    String outside = RELEASE + "-" + name;
    if (namespace == null) {
      return outside; // a ClusterRole
    }
    if (namespace.equals(RELEASE)) {
      return name;
    }
    boolean watched = namespace.equals(InstallationValue.WATCHED_NAMESPACE.placeholder());
    return watched ? outside : outside + "-" + namespace;
  }

  /**
   * Returns the CRDs with their conversions. They lack the label {@code app}, so that this label
   * selects what an uninstallation deletes: deleting a CRD would delete all objects of its type.
   */
  List<CustomResourceDefinition> crds(Installation installation) {
    Map<String, CustomResourceConversion> conversions =
        installation.everywhere().objects().stream()
            .filter(object -> object.getKind().equals(CRD))
            .map(InstalledObjects::definition)
            .collect(
                Collectors.toMap(
                    crd -> crd.getMetadata().getName(), crd -> crd.getSpec().getConversion()));
    List<CustomResourceDefinition> crds = new ArrayList<>();
    for (CustomResourceDefinition definition : installation.crds()) {
      CustomResourceDefinition crd = labelled(definition);
      crd.getMetadata().getLabels().remove("app");
      CustomResourceConversion conversion = conversions.get(crd.getMetadata().getName());
      if (conversion != null) {
        crd.getSpec().setConversion(conversion);
      }
      crds.add(crd);
    }
    return crds;
  }

  /**
   * Converts a CRD to an instance of {@link CustomResourceDefinition}. The given object can be an
   * instance of another class, such as a generic one.
   */
  private static CustomResourceDefinition definition(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), CustomResourceDefinition.class);
  }

  /**
   * Returns the objects that the program declares, except CRDs and the Service of the webhooks,
   * which are written separately.
   */
  List<HasMetadata> others(List<HasMetadata> declared) {
    return declared.stream()
        .filter(object -> !object.getKind().equals(CRD))
        .filter(object -> !isServiceOfWebhooks(object))
        .map(this::labelled)
        .toList();
  }

  private boolean isServiceOfWebhooks(HasMetadata object) {
    return object.getKind().equals(SERVICE) && object.getMetadata().getName().equals(name);
  }

  private <T extends HasMetadata> T labelled(T object) {
    T copy = Serialization.clone(object);
    Map<String, String> all = new LinkedHashMap<>(labels);
    if (copy.getMetadata().getLabels() != null) {
      all.putAll(copy.getMetadata().getLabels());
    }
    copy.getMetadata().setLabels(all);
    return copy;
  }
}
