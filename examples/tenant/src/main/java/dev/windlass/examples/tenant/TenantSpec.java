// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user wants. */
@ValidationRule(
    value =
        "has(self.namespacePrefix) == has(oldSelf.namespacePrefix)"
            + " && (!has(self.namespacePrefix) || self.namespacePrefix == oldSelf.namespacePrefix)",
    message = "spec.namespacePrefix field should not be changed")
@JsonIgnoreProperties(ignoreUnknown = true) // of a newer CRD
public final class TenantSpec {

  @Required
  @Size(min = 1)
  private List<String> namespaces = new ArrayList<>();

  private @Nullable String namespacePrefix;

  @Required private @Nullable Subject admin;

  /** The Namespaces, without the prefix. */
  public List<String> getNamespaces() {
    return namespaces;
  }

  /** Sets the Namespaces. */
  public void setNamespaces(List<String> namespaces) {
    this.namespaces = namespaces;
  }

  /** What the name of each Namespace begins with; null for nothing. It can't be changed. */
  public @Nullable String getNamespacePrefix() {
    return namespacePrefix;
  }

  /** Sets the prefix. */
  public void setNamespacePrefix(@Nullable String namespacePrefix) {
    this.namespacePrefix = namespacePrefix;
  }

  /** Who administrates the Namespaces; the server accepts no Tenant without. */
  public @Nullable Subject getAdmin() {
    return admin;
  }

  /** Sets the administrator. */
  public void setAdmin(@Nullable Subject admin) {
    this.admin = admin;
  }
}
