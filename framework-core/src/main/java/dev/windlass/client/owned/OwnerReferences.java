// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Sets and reads the owners of an object. The garbage collector deletes an object after all its
 * owners have been deleted. One of the owners can be the <em>controller</em>. With {@code
 * ControllerBuilder.owns}, a Windlass controller reconciles this owner when the object changes.
 *
 * <p>Two references denote the same owner if their group, kind, name and uid are equal. The API
 * version is ignored. If an owner is deleted and created again with the same name, it has a new
 * uid. It does not own the objects of the deleted owner.
 *
 * <p>The methods change only the given object and do not send requests. This class has no state.
 */
public final class OwnerReferences {

  private OwnerReferences() {}

  /**
   * Makes the owner the controller of the object. If the object already has a reference to this
   * owner, this method replaces it. The reference has {@code blockOwnerDeletion} set, unless {@link
   * #unblock} has disabled it. References to other owners remain unchanged.
   *
   * @param object the object to change
   * @param owner the owner as it was read from the server, with apiVersion, kind, name and uid
   * @throws AlreadyOwnedException if the object has another controller
   * @throws IllegalArgumentException if the owner does not have an apiVersion, a kind, a name and a
   *     uid; if the owner and the object are in different namespaces; or if the owner is namespaced
   *     and the object is not
   */
  public static void setController(HasMetadata object, HasMetadata owner) {
    OwnerReference wanted = reference(owner, true);
    checkNamespaces(object, owner);
    requireNoOther(object, wanted);
    put(object, wanted);
  }

  /**
   * Allows the owner to be deleted before the object. Sets {@code blockOwnerDeletion: false} in the
   * reference to the owner. A foreground deletion of the owner then does not wait for the object to
   * be deleted, and the program does not need permission to update the owner's {@code finalizers}.
   * {@link #setController}, {@link #setOwner} and {@link Owned#apply} preserve this value.
   *
   * @param object the object to change
   * @param owner an owner of the object
   * @throws IllegalArgumentException if the owner does not own the object
   */
  public static void unblock(HasMetadata object, HasMetadata owner) {
    OwnerReference wanted = reference(owner, false);
    OwnerReference current =
        all(object).stream()
            .filter(reference -> isSame(reference, wanted))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        ObjectNames.of(owner)
                            + " does not own "
                            + ObjectNames.of(object)
                            + ": call setController or setOwner first"));
    put(object, new OwnerReferenceBuilder(current).withBlockOwnerDeletion(false).build());
  }

  /**
   * Checks that an existing object is controlled by the given owner. If a reconcile finds that it
   * is not, the controller reconciles the request again when the object has been deleted, or its
   * owners, labels or generation have changed, provided that the controller owns the type.
   *
   * @param owner the owner as it was read from the server
   * @throws AlreadyOwnedException if the object has another controller
   * @throws NotControlledException if the object does not have a controller
   */
  public static void requireController(HasMetadata object, HasMetadata owner) {
    requireController(object, controller(owner));
  }

  static void requireController(HasMetadata object, OwnerReference wanted) {
    try {
      requireNoOther(object, wanted);
      if (controllerOf(object).isEmpty()) {
        throw new NotControlledException(ObjectKey.of(object), notControlled(object, wanted));
      }
    } catch (NotControlledException e) {
      WriterContext.current().ifPresent(writer -> writer.blocked(e.object()));
      throw e;
    }
  }

  /**
   * Returns the message for an object without a controller. An owner that is not the controller is
   * usually the result of another library, such as fabric8's {@code addOwnerReference}.
   */
  private static String notControlled(HasMetadata object, OwnerReference wanted) {
    String exists = ObjectNames.of(object) + " exists and has no controller: ";
    String owner = ObjectNames.of(wanted);
    return all(object).stream().anyMatch(reference -> isSame(reference, wanted))
        ? exists
            + owner
            + " is its owner, but without controller: true, so it was not changed. Owned.adopt makes"
            + " this owner its controller."
        : exists
            + "it does not belong to "
            + owner
            + " and was not changed. Choose another name, take it over with Owned.adopt, or delete"
            + " it.";
  }

  private static void requireNoOther(HasMetadata object, OwnerReference wanted) {
    Optional<OwnerReference> current = controllerOf(object);
    if (current.isPresent() && !isSame(current.get(), wanted)) {
      throw new AlreadyOwnedException(
          ObjectNames.key(object), alreadyOwned(object, wanted, current.get()));
    }
  }

  /**
   * Adds the given owner to the owners of the object. If it is already the controller, it remains
   * the controller. The reference has {@code blockOwnerDeletion} set, unless {@link #unblock} has
   * disabled it.
   *
   * @param object the object to change
   * @param owner the owner as it was read from the server; see {@link #setController}
   * @throws IllegalArgumentException if the object cannot have this owner; see {@link
   *     #setController}
   */
  public static void setOwner(HasMetadata object, HasMetadata owner) {
    OwnerReference wanted = reference(owner, false);
    checkNamespaces(object, owner);
    boolean controls = isControlledBy(object, owner);
    put(object, controls ? reference(owner, true) : wanted);
  }

  /**
   * Removes the reference to the given owner from the object, even if this owner is the controller.
   *
   * @return whether the object had a reference to this owner
   */
  public static boolean remove(HasMetadata object, HasMetadata owner) {
    OwnerReference unwanted = reference(owner, false);
    List<OwnerReference> left = new ArrayList<>(all(object));
    boolean removed = left.removeIf(reference -> isSame(reference, unwanted));
    if (removed) {
      object.getMetadata().setOwnerReferences(left);
    }
    return removed;
  }

  /** Returns the reference to an object's controller, if the object has one. */
  public static Optional<OwnerReference> controllerOf(HasMetadata object) {
    return all(object).stream().filter(OwnerReferences::controls).findFirst();
  }

  /** Returns whether the owner is the object's controller. */
  public static boolean isControlledBy(HasMetadata object, HasMetadata owner) {
    OwnerReference wanted = reference(owner, true);
    return all(object).stream()
        .anyMatch(reference -> controls(reference) && isSame(reference, wanted));
  }

  /**
   * Returns whether the owner is one of the object's owners. It does not have to be the controller.
   */
  public static boolean isOwnedBy(HasMetadata object, HasMetadata owner) {
    OwnerReference wanted = reference(owner, false);
    return all(object).stream().anyMatch(reference -> isSame(reference, wanted));
  }

  /** Returns an owner reference with {@code controller: true} to the given owner. */
  static OwnerReference controller(HasMetadata owner) {
    return reference(owner, true);
  }

  private static boolean controls(OwnerReference reference) {
    return Boolean.TRUE.equals(reference.getController());
  }

  private static List<OwnerReference> all(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
  }

  /**
   * Sets the reference to an owner. If the object already refers to the owner, the new reference
   * replaces the first of these references, and any others are removed. Otherwise, the new
   * reference is added at the end of the list. If the replaced reference contains {@code
   * blockOwnerDeletion: false}, the new one contains it too.
   */
  private static void put(HasMetadata object, OwnerReference wanted) {
    List<OwnerReference> owners = new ArrayList<>();
    boolean placed = false;
    for (OwnerReference reference : all(object)) {
      if (!isSame(reference, wanted)) {
        owners.add(reference);
      } else if (!placed) {
        owners.add(
            Boolean.FALSE.equals(reference.getBlockOwnerDeletion())
                ? new OwnerReferenceBuilder(wanted).withBlockOwnerDeletion(false).build()
                : wanted);
        placed = true;
      }
    }
    if (!placed) {
      owners.add(wanted);
    }
    object.getMetadata().setOwnerReferences(owners);
  }

  private static boolean isSame(OwnerReference one, OwnerReference other) {
    return Objects.equals(one.getUid(), other.getUid())
        && Objects.equals(one.getName(), other.getName())
        && Objects.equals(one.getKind(), other.getKind())
        && group(one).equals(group(other));
  }

  private static String group(OwnerReference reference) {
    String version = Objects.requireNonNullElse(reference.getApiVersion(), "");
    int slash = version.indexOf('/');
    return slash < 0 ? "" : version.substring(0, slash);
  }

  private static OwnerReference reference(HasMetadata owner, boolean controller) {
    OwnerReference reference =
        new OwnerReferenceBuilder()
            .withApiVersion(owner.getApiVersion())
            .withKind(owner.getKind())
            .withName(owner.getMetadata().getName())
            .withUid(owner.getMetadata().getUid())
            .withController(controller ? true : null)
            .withBlockOwnerDeletion(true)
            .build();
    if (isEmpty(reference.getApiVersion())
        || isEmpty(reference.getKind())
        || isEmpty(reference.getName())
        || isEmpty(reference.getUid())) {
      throw new IllegalArgumentException(
          "an owner needs apiVersion, kind, name and uid, and "
              + ObjectNames.of(reference)
              + " lacks one of them; use the owner as it was read from the server");
    }
    return reference;
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }

  private static void checkNamespaces(HasMetadata object, HasMetadata owner) {
    String dependent = mayBeNamespaced(object) ? ObjectNames.key(object).namespace() : "";
    String namespace = mayBeNamespaced(owner) ? ObjectKey.of(owner).namespace() : "";
    if (namespace.isEmpty() || namespace.equals(dependent)) {
      return;
    }
    String both = ObjectNames.of(owner) + " can't own " + ObjectNames.of(object) + ": ";
    if (!dependent.isEmpty()) {
      throw new IllegalArgumentException(
          both
              + "an owner must be in the namespace of the objects that it owns, or be"
              + " cluster-scoped. Create the object in the owner's namespace, or label it and"
              + " delete it in a finalizer");
    }
    throw new IllegalArgumentException(
        object instanceof Namespaced
            ? both + "the object has no namespace yet. Set metadata.namespace first"
            : both
                + "a cluster-scoped object can't have a namespaced owner. Label it and delete"
                + " it in a finalizer");
  }

  /**
   * Returns whether the type may be namespaced. The API server removes the namespace from the
   * metadata of a cluster-scoped object. The class of a generic object does not determine the
   * scope.
   */
  private static boolean mayBeNamespaced(HasMetadata object) {
    return object instanceof Namespaced || object instanceof GenericKubernetesResource;
  }

  private static String alreadyOwned(
      HasMetadata object, OwnerReference owner, OwnerReference controller) {
    boolean predecessor =
        owner.getName().equals(controller.getName())
            && owner.getKind().equals(controller.getKind());
    return ObjectNames.of(object)
        + " can't be controlled by "
        + ObjectNames.of(owner)
        + ", because "
        + ObjectNames.of(controller)
        + " controls it already. "
        + (predecessor
            ? "That is an earlier object of the same name; this one can be created after the"
                + " garbage collector has deleted the dependents of the earlier one"
            : "Choose another name, or make the other controller release it");
  }
}
