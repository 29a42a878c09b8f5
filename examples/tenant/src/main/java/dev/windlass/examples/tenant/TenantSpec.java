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

/** The desired state of a Tenant. */
// sample: rule
@ValidationRule(
    value =
        "has(self.namespacePrefix) == has(oldSelf.namespacePrefix)"
            + " && (!has(self.namespacePrefix) || self.namespacePrefix == oldSelf.namespacePrefix)",
    message = "spec.namespacePrefix field should not be changed")
// end
@JsonIgnoreProperties(ignoreUnknown = true) // accepts fields of a newer CRD
public final class TenantSpec {

  // sample: fields
  @Required
  @Size(min = 1)
  private List<String> namespaces = new ArrayList<>();

  private @Nullable String namespacePrefix;

  @Required private @Nullable Subject admin;

  // end

  /** Returns the names of the Namespaces, without the prefix. */
  public List<String> getNamespaces() {
    return namespaces;
  }

  /** Sets the names of the Namespaces. */
  public void setNamespaces(List<String> namespaces) {
    this.namespaces = namespaces;
  }

  /**
   * Returns the prefix of the Namespaces' names, or null if there is none. The API server rejects a
   * request to change the prefix.
   */
  public @Nullable String getNamespacePrefix() {
    return namespacePrefix;
  }

  /** Sets the prefix. */
  public void setNamespacePrefix(@Nullable String namespacePrefix) {
    this.namespacePrefix = namespacePrefix;
  }

  /**
   * Returns the administrator of the Namespaces. The API server rejects a Tenant without an
   * administrator.
   */
  public @Nullable Subject getAdmin() {
    return admin;
  }

  /** Sets the administrator. */
  public void setAdmin(@Nullable Subject admin) {
    this.admin = admin;
  }
}
