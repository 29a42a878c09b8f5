// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.Client;
import dev.windlass.client.Patch;
import dev.windlass.object.ObjectSnapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Operations on objects that another object owns as their controller. Stateless. */
public final class Owned {

  private Owned() {}

  /**
   * Takes over an object that has no controller: the owner becomes its controller. This is the only
   * way to do so; everything else refuses what the owner does not control.
   *
   * @param object as it was read; it is changed
   * @return the object as the server has it now
   * @throws AlreadyOwnedException if it has another controller
   * @throws dev.windlass.client.ConflictException if it has changed since it was read
   * @throws IllegalArgumentException as for {@link OwnerReferences#setController}
   */
  public static <T extends HasMetadata> T adopt(Client client, HasMetadata owner, T object) {
    if (OwnerReferences.isControlledBy(object, owner)) {
      return object;
    }
    ObjectSnapshot before = ObjectSnapshot.of(object);
    OwnerReferences.setController(object, owner);
    return client.patch(object, Patch.merge(before.changeTo(object).content()));
  }
}
