// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.patch.ObjectSnapshot;
import dev.windlass.object.patch.ObjectSnapshot.Change;
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
 * Creates an object, or updates it if it differs from the desired state.
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
 *   <li>If the object does not exist, the mutation receives the skeleton; otherwise it receives the
 *       object as it was read, with everything that the server and others have set. It should set
 *       only what is desired: replacing a whole {@code spec} removes the server's defaults, and so
 *       causes a difference each time. It may be called twice, and must not change the name or the
 *       namespace.
 *   <li>The status is written separately, because most types keep it in a subresource. For a type
 *       without that subresource, a changed status is written only together with another change. A
 *       creation omits the status.
 *   <li>If nothing differs, nothing is sent. If the server finds that a write changed nothing, the
 *       result reports that.
 *   <li>Conflicts are not retried: the exception is thrown, and the queue calls the reconciler
 *       again.
 *   <li>Objects that belong to others remain unchanged. If the mutation sets a controller, the
 *       object must already have had that controller when it was read: an object without a
 *       controller is rejected with a {@link NotControlledException}, one with another controller
 *       with an {@link AlreadyOwnedException}, and nothing is written. {@link Owned#adopt} takes
 *       over an object deliberately.
 *   <li>If a creation finds that the object already exists, because an earlier response was lost or
 *       the cache lags behind, the object is read from the server, and the same rule applies. If
 *       the mutation sets no controller, the owner of the object is unknown, and the {@link
 *       AlreadyExistsException} is thrown. Therefore, a controller and a unique name for each child
 *       make duplicates impossible; {@code generateName} is rejected.
 * </ul>
 *
 * <p>Stateless.
 */
public final class CreateOrUpdate {

  private CreateOrUpdate() {}

  /** Sends the difference between two states. */
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
   * Creates the object, or replaces it if the mutation changes it. Any concurrent change since it
   * was read causes a conflict.
   *
   * @param skeleton an object of the desired type with a name and, if it is namespaced, a
   *     namespace; it is created, after the mutation, if the object does not exist
   * @param mutation sets the desired state
   * @throws dev.windlass.client.ConflictException if the object has changed since it was read
   * @throws NotControlledException if it exists and does not have the controller that the mutation
   *     sets; {@link AlreadyOwnedException} if it has another one
   * @throws AlreadyExistsException if it was created meanwhile and the mutation sets no controller
   * @throws IllegalArgumentException if the skeleton has no name, or if the mutation changes the
   *     name or the namespace
   */
  public static <T extends HasMetadata> Operation<T> createOrUpdate(
      Client client, T skeleton, Consumer<? super T> mutation) {
    return run(client, skeleton, mutation, UPDATE);
  }

  /**
   * Creates the object, or sends a merge patch of the difference. If the object has changed since
   * it was read, only a patch that replaces a list causes a conflict. Fields that are unknown to
   * the class remain unchanged.
   *
   * @param skeleton as for {@link #createOrUpdate}; the same applies to the mutation and the
   *     exceptions
   */
  public static <T extends HasMetadata> Operation<T> createOrPatch(
      Client client, T skeleton, Consumer<? super T> mutation) {
    return run(client, skeleton, mutation, PATCH);
  }

  private static <T extends HasMetadata> Operation<T> run(
      Client client, T skeleton, Consumer<? super T> mutation, Writer writer) {
    ObjectKey key = MetadataChecks.checkedKey(skeleton);
    Optional<T> found = client.get(skeleton);
    if (found.isPresent()) {
      return change(client, key, found.get(), mutation, writer);
    }
    mutate(key, skeleton, mutation);
    try {
      return new Operation<>(client.create(skeleton), Operation.Result.CREATED);
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
        // The remaining change; empty if the status is not a subresource.
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

  /**
   * Returns the fields of the object that the ownership check and its messages need, as they were
   * read.
   */
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

  private static Operation.Result result(boolean content, boolean status) {
    if (content) {
      return status ? Operation.Result.UPDATED_STATUS : Operation.Result.UPDATED;
    }
    return status ? Operation.Result.UPDATED_STATUS_ONLY : Operation.Result.NONE;
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
              + " changed its name or namespace: it is now "
              + after
              + ". Set both in the skeleton.");
    }
  }
}
