// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.owned.OwnerReferences;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Names the objects of a Tenant and sets their owner. */
final class Children {

  private Children() {}

  /** Returns the name of the ClusterRole for a Namespace. */
  static String roleName(String namespace) {
    return namespace + "-admin-role";
  }

  /** Returns the name of the RoleBinding in a Namespace. */
  static String bindingName(String namespace) {
    return namespace + "-admin-rolebinding";
  }

  /**
   * Makes a Tenant the controller of an object. If the object already exists and the Tenant does
   * not control it, this method fails. It does not adopt an existing object without a controller,
   * because deleting the Tenant would then delete that object, even if it were the Namespace
   * kube-system.
   *
   * @throws dev.windlass.client.owned.AlreadyOwnedException if another owner controls the object
   * @throws NotOwnedException if the object exists and has no controller
   */
  static void own(HasMetadata object, Tenant tenant) {
    boolean exists = object.getMetadata().getUid() != null;
    if (exists && OwnerReferences.controllerOf(object).isEmpty()) {
      throw new NotOwnedException(object);
    }
    OwnerReferences.setController(object, tenant);
  }

  /** Thrown if an object exists but has no controller. */
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
