// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSnapshot;
import dev.windlass.object.ObjectSnapshot.Change;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes an object be as it is wanted, whether it exists or not: reads it, lets it be changed, and
 * writes what differs.
 *
 * <pre>{@code
 * ConfigMap skeleton = new ConfigMapBuilder()
 *     .withNewMetadata().withNamespace("shop").withName("settings").endMetadata().build();
 * CreateOrUpdate.createOrUpdate(client, skeleton, settings -> {
 *   settings.setData(Map.of("colour", "blue"));
 *   OwnerReferences.setController(settings, shop);
 * });
 * }</pre>
 *
 * <ul>
 *   <li>The mutation gets the skeleton if there is no such object, else the object as it was read,
 *       with all that the server and others have set. It should set what is wanted and nothing
 *       else: what replaces a whole {@code spec} removes the server's defaults, and so differs each
 *       time. It may be called twice, and must not change the name or the namespace.
 *   <li>The status is written apart, because most types keep it in a subresource; types without one
 *       can have it changed together with something else only. A creation leaves it out.
 *   <li>Nothing is sent if nothing differs. If the server finds that a write changed nothing, the
 *       result says so.
 *   <li>A conflict is not tried again: it is thrown, and the queue calls the reconciler again.
 *   <li>What belongs to others is left alone. If the mutation sets a controller, the object must
 *       have had that one when it was found: an object without a controller is refused with a
 *       {@link NotControlledException}, one of another controller with an {@link
 *       AlreadyOwnedException}, and nothing is written. {@link Owned#adopt} takes an object over on
 *       purpose.
 *   <li>If a creation finds that the object exists, because its answer was lost or the cache is
 *       behind, the object is read from the server, and the same rule decides. Without a controller
 *       nobody can say whose it is, so the {@link AlreadyExistsException} is thrown. So a name of
 *       its own for each child, and a controller, make duplicates impossible; {@code generateName}
 *       is refused.
 * </ul>
 *
 * <p>Stateless.
 */
public final class CreateOrUpdate {

  private CreateOrUpdate() {}

  /** How what differs is sent. */
  private interface Writer {
    <T extends HasMetadata> T content(Client client, T wanted, Change change);

    <T extends HasMetadata> T status(Client client, T wanted, Change change);
  }

  private static final Writer UPDATE =
      new Writer() {
        @Override
        public <T extends HasMetadata> T content(Client client, T wanted, Change change) {
          return client.update(wanted);
        }

        @Override
        public <T extends HasMetadata> T status(Client client, T wanted, Change change) {
          return client.updateStatus(wanted);
        }
      };

  private static final Writer PATCH =
      new Writer() {
        @Override
        public <T extends HasMetadata> T content(Client client, T wanted, Change change) {
          return client.patch(wanted, ObjectPatch.merge(change.content()));
        }

        @Override
        public <T extends HasMetadata> T status(Client client, T wanted, Change change) {
          return client.status().patch(wanted, ObjectPatch.merge(change.status()));
        }
      };

  /**
   * Creates the object, or replaces it by its changed self if that differs. Any change that was
   * made since it was read leads to a conflict.
   *
   * @param skeleton an object of the wanted type with a name and, if it lives in one, a namespace;
   *     it is what is created, after the mutation
   * @param mutation sets what is wanted
   * @throws dev.windlass.client.ConflictException if the object has changed since it was read
   * @throws NotControlledException if it exists and does not have the controller that the mutation
   *     sets; {@link AlreadyOwnedException} if it has another one
   * @throws AlreadyExistsException if it appeared meanwhile, and the mutation sets no controller
   * @throws IllegalArgumentException if the skeleton has no name, or if the mutation changes the
   *     name or the namespace
   */
  public static <T extends HasMetadata> Operation<T> createOrUpdate(
      Client client, T skeleton, Consumer<? super T> mutation) {
    return run(client, skeleton, mutation, UPDATE);
  }

  /**
   * Creates the object, or sends a merge patch of what differs. Only a patch that replaces a list
   * leads to a conflict if the object has changed since it was read. Fields that the class does not
   * know are left alone.
   *
   * @param skeleton as for {@link #createOrUpdate}; so are the mutation and the exceptions
   */
  public static <T extends HasMetadata> Operation<T> createOrPatch(
      Client client, T skeleton, Consumer<? super T> mutation) {
    return run(client, skeleton, mutation, PATCH);
  }

  private static <T extends HasMetadata> Operation<T> run(
      Client client, T skeleton, Consumer<? super T> mutation, Writer writer) {
    ObjectKey key = Wanted.checkedKey(skeleton);
    Optional<T> found = client.get(skeleton);
    if (found.isPresent()) {
      return change(client, key, found.get(), mutation, writer);
    }
    mutate(key, skeleton, mutation);
    try {
      return new Operation<>(client.create(skeleton), OperationResult.CREATED);
    } catch (AlreadyExistsException e) {
      Optional<OwnerReference> controller = OwnerReferences.controllerOf(skeleton);
      Optional<T> existing = client.uncached().get(skeleton);
      if (existing.isEmpty() || controller.isEmpty()) {
        throw e;
      }
      OwnerReferences.requireController(existing.get(), controller.get());
      return change(client, key, existing.get(), mutation, writer);
    }
  }

  private static <T extends HasMetadata> Operation<T> change(
      Client client, ObjectKey key, T object, Consumer<? super T> mutation, Writer writer) {
    ObjectSnapshot before = ObjectSnapshot.of(object);
    String version = object.getMetadata().getResourceVersion();
    HasMetadata found = owned(object);
    mutate(key, object, mutation);
    OwnerReferences.controllerOf(object)
        .ifPresent(controller -> OwnerReferences.requireController(found, controller));
    Change change = before.changeTo(object);
    T now = object;
    boolean content = false;
    if (!change.content().isEmpty()) {
      now = writer.content(client, object, change);
      String written = now.getMetadata().getResourceVersion();
      content = !Objects.equals(version, written);
      if (!change.status().isEmpty()) {
        // What is left of the change; nothing, if the status is no subresource.
        object.getMetadata().setResourceVersion(written);
        change = ObjectSnapshot.of(now).changeTo(object);
        version = written;
      }
    }
    if (change.status().isEmpty()) {
      return new Operation<>(now, result(content, false));
    }
    now = writer.status(client, object, change);
    return new Operation<>(
        now, result(content, !Objects.equals(version, now.getMetadata().getResourceVersion())));
  }

  /** What a message says of the object as it was found, and whose it was. */
  private static HasMetadata owned(HasMetadata object) {
    GenericKubernetesResource found = new GenericKubernetesResource();
    found.setKind(object.getKind());
    ObjectMeta metadata = new ObjectMeta();
    metadata.setNamespace(object.getMetadata().getNamespace());
    metadata.setName(object.getMetadata().getName());
    List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
    metadata.setOwnerReferences(
        owners == null
            ? List.of()
            : owners.stream().map(owner -> new OwnerReferenceBuilder(owner).build()).toList());
    found.setMetadata(metadata);
    return found;
  }

  private static OperationResult result(boolean content, boolean status) {
    if (content) {
      return status ? OperationResult.UPDATED_STATUS : OperationResult.UPDATED;
    }
    return status ? OperationResult.UPDATED_STATUS_ONLY : OperationResult.NONE;
  }

  private static <T extends HasMetadata> void mutate(
      ObjectKey key, T object, Consumer<? super T> mutation) {
    mutation.accept(object);
    ObjectKey after = ObjectKey.of(object);
    if (!after.equals(key)) {
      throw new IllegalArgumentException(
          "the mutation of "
              + object.getKind()
              + " "
              + key
              + " changed its name or namespace: it is "
              + after
              + " now. Set both in the skeleton");
    }
  }
}
