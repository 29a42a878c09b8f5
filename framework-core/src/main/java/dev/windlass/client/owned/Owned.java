// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.InvalidException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.patch.ObjectSnapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Optional;

/**
 * Applies objects that an owner controls, and adopts objects without a controller. This class has
 * no state.
 */
public final class Owned {

  /**
   * The maximum number of attempts of {@link #apply}, which tries again only if the object has been
   * created, deleted or replaced since it was read.
   */
  private static final int TRIES = 3;

  private Owned() {}

  /**
   * Applies an object and makes the owner its controller. Creates the object, or sets the fields in
   * {@code wanted} using server-side apply. The server removes fields that were part of an earlier
   * apply or of the creation and that {@code wanted} no longer contains. Other field owners' fields
   * remain unchanged. The client sends no request if its field owner has already applied the same
   * fields and the object still has the resulting values, even if other writers have changed other
   * fields. After a restart, the client determines this from the field ownership that the server
   * has recorded.
   *
   * <pre>{@code
   * Owned.apply(context.client(), shop, new ConfigMapBuilder()
   *     .withNewMetadata().withNamespace("shop").withName("settings").endMetadata()
   *     .addToData("colour", "blue").build());
   * }</pre>
   *
   * <p>Other owners' objects remain unchanged, even if the cache lags behind or an object is
   * created between the read and the write. If the object is not known to exist, this method calls
   * {@link Client#applyNew}, which never changes an existing object. If the object is known to
   * exist, this method applies it with its uid as a precondition.
   *
   * @param owner the owner as it was read from the server
   * @param wanted the desired fields, with a name and, if the object is namespaced, a namespace; it
   *     is not modified
   * @return the object's current state on the server, and whether the object was changed
   * @throws NotControlledException if the object exists and the owner is not its controller; this
   *     is an {@link AlreadyOwnedException} if the object has another controller
   * @throws IllegalArgumentException if {@code wanted} does not have a name, or cannot have this
   *     owner; see {@link OwnerReferences#setController}
   * @throws IllegalStateException if there is no field owner, which can occur only outside
   *     reconciles; see {@link Client#withFieldOwner}
   */
  public static <T extends HasMetadata> Operation<T> apply(
      Client client, HasMetadata owner, T wanted) {
    Objects.requireNonNull(wanted, "apply(...) was given null: pass the desired object");
    MetadataChecks.checkedKey(wanted);
    T own = ObjectCodec.copy(wanted);
    own.getMetadata().setUid(null);
    OwnerReferences.setController(own, owner);
    Optional<T> found = client.get(own);
    for (int tries = 1; ; tries++) {
      try {
        return found.isEmpty()
            ? new Operation<>(client.applyNew(own), Operation.Result.CREATED)
            : applyTo(client, owner, found.get(), own);
      } catch (AlreadyExistsException | ConflictException | InvalidException e) {
        Optional<T> now = client.uncached().get(own);
        if (tries == TRIES || uid(now).equals(uid(found))) {
          throw e; // no other object has replaced it
        }
        found = now;
      }
    }
  }

  private static <T extends HasMetadata> Operation<T> applyTo(
      Client client, HasMetadata owner, T found, T own) {
    OwnerReferences.requireController(found, OwnerReferences.controller(owner));
    own.getMetadata().setUid(found.getMetadata().getUid());
    T now = client.apply(own);
    boolean same =
        now.getMetadata().getResourceVersion().equals(found.getMetadata().getResourceVersion());
    return new Operation<>(now, same ? Operation.Result.NONE : Operation.Result.UPDATED);
  }

  private static String uid(Optional<? extends HasMetadata> object) {
    return object.map(found -> found.getMetadata().getUid()).orElse("");
  }

  /**
   * Makes the owner the controller of an object without a controller. Use this method to take over
   * an object: {@link #apply} and {@link CreateOrUpdate} reject objects that the owner does not
   * control.
   *
   * @param object the object as it was read; this method modifies it
   * @return the object's current state on the server
   * @throws AlreadyOwnedException if the object has another controller
   * @throws dev.windlass.client.ConflictException if the object has changed since it was read
   * @throws IllegalArgumentException if the object cannot have this owner; see {@link
   *     OwnerReferences#setController}
   */
  public static <T extends HasMetadata> T adopt(Client client, HasMetadata owner, T object) {
    if (OwnerReferences.isControlledBy(object, owner)) {
      return object;
    }
    ObjectSnapshot before = ObjectSnapshot.of(object);
    OwnerReferences.setController(object, owner);
    return client.patch(object, ObjectPatch.merge(before.changeTo(object).content()));
  }
}
