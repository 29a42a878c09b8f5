// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.List;
import java.util.Map;

/**
 * The template of the program's roles, and of the bindings that grant them to its ServiceAccount.
 * The value {@code watchNamespace} of the chart determines whether the template grants the
 * permissions for all namespaces or those for one namespace.
 *
 * @param name the program's name
 * @param labels each object's labels
 */
record RoleTemplates(String name, Map<String, String> labels) {

  private static final String RELEASE = InstallationValue.NAMESPACE.placeholder();

  String of(Permissions everywhere, Permissions inOneNamespace) {
    return "{{- if .Values.watchNamespace }}\n"
        + text(inOneNamespace)
        + "{{- else }}\n"
        + text(everywhere)
        + "{{- end }}\n";
  }

  private String text(Permissions permissions) {
    List<HasMetadata> roles = permissions.roles(name);
    List<HasMetadata> bindings =
        permissions.bindings(name, RELEASE, InstallationValue.SERVICE_ACCOUNT.placeholder());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < roles.size(); i++) {
      HasMetadata role = roles.get(i);
      HasMetadata binding = bindings.get(i);
      String unique = unique(role.getMetadata().getNamespace());
      rename(role, unique);
      rename(binding, unique);
      if (binding instanceof ClusterRoleBinding wide) {
        wide.getRoleRef().setName(unique);
      } else if (binding instanceof RoleBinding narrow) {
        narrow.getRoleRef().setName(unique);
      }
      text.append(InstallationValue.template(role));
      text.append(InstallationValue.template(binding));
    }
    return text.toString();
  }

  /**
   * Returns the name of the program's role in a namespace, or the name of its ClusterRole if the
   * namespace is null. The program has no other role with this name in the same namespace, even if
   * two placeholders are replaced with the same namespace. Outside the program's own namespace, the
   * name also differs from the names that other installations use.
   */
  private String unique(String namespace) {
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

  private void rename(HasMetadata object, String newName) {
    object.getMetadata().setName(newName);
    object.getMetadata().setLabels(labels);
  }
}
