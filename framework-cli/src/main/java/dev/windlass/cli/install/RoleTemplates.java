// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.List;
import java.util.Map;

/**
 * The template of the roles and their bindings to the program's ServiceAccount. The template grants
 * either the permissions of a program that watches all namespaces, or those of a program that
 * watches one namespace.
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
   * Returns the name of the program's role in a namespace, or of its ClusterRole if the namespace
   * is null. No other role of the program has this name, even if two placeholders stand for the
   * same namespace. Outside the program's own namespace, no other installation uses this name.
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
