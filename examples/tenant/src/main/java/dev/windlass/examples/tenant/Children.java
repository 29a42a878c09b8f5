// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.owned.OwnerReferences;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** What a Tenant owns, and how it is called. */
final class Children {

  private Children() {}

  /** The name of the ClusterRole for a Namespace. */
  static String roleName(String namespace) {
    return namespace + "-admin-role";
  }

  /** The name of the RoleBinding in a Namespace. */
  static String bindingName(String namespace) {
    return namespace + "-admin-rolebinding";
  }

  /**
   * Makes the Tenant the owner of an object, unless that exists and is not the Tenant's. To take
   * over what nobody controls would end badly: it would be deleted with the Tenant, kube-system
   * too.
   *
   * @throws dev.windlass.client.owned.AlreadyOwnedException if somebody else controls it
   * @throws NotOwnedException if it exists, and nobody controls it
   */
  static void own(HasMetadata object, Tenant tenant) {
    boolean exists = object.getMetadata().getUid() != null;
    if (exists && OwnerReferences.controllerOf(object).isEmpty()) {
      throw new NotOwnedException(object);
    }
    OwnerReferences.setController(object, tenant);
  }

  /** An object exists that is nobody's. */
  static final class NotOwnedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotOwnedException(HasMetadata object) {
      super(
          ("%s %s exists, and does not belong to this tenant: choose another name in"
                  + " spec.namespaces, or delete the %s")
              .formatted(object.getKind(), object.getMetadata().getName(), object.getKind()));
    }
  }
}
