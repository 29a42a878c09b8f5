// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.ApiException;
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
import java.net.HttpURLConnection;
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
 * <p>{@link #createOrUpdate} and {@link #createOrPatch} call a function, the <em>mutation</em>,
 * which sets the desired fields. Both methods follow these rules:
 *
 * <ul>
 *   <li>If the object does not exist, the mutation receives the skeleton. Otherwise, it receives
 *       the object as it was read, with all fields that the server and other writers have set. The
 *       mutation should set only the desired fields. If it replaces the whole {@code spec}, it
 *       removes the server's defaults, so every call sends a write. The mutation must not change
 *       the name or the namespace. The method can call it twice.
 *   <li>If the mutation changes the status, the method writes the status in a separate request,
 *       because most types have a status subresource. For a type without a status subresource, it
 *       writes the status like any other field. The method does not write the status of a new
 *       object, unless the type has no status subresource.
 *   <li>If the mutation does not change the object, the method sends no write. In built-in types, a
 *       quantity counts as unchanged if the server would store the same text. If the server does
 *       not change the stored object, the result is {@link Operation.Result#NONE}.
 *   <li>After a conflict, the method does not retry. It throws an exception, and the queue retries
 *       the reconcile.
 *   <li>The method does not change objects of other owners. If the mutation sets a controller, an
 *       existing object must already have this controller. If the object does not have a
 *       controller, the method throws a {@link NotControlledException}. If it has another
 *       controller, the method throws an {@link AlreadyOwnedException}. Use {@link Owned#adopt} to
 *       take over an object without a controller.
 *   <li>A creation can fail because the object already exists, for example if an earlier response
 *       was lost or the cache is outdated. The method then reads the object from the server and
 *       updates it if it has the controller that the mutation sets. If the mutation does not set a
 *       controller, the owner of the existing object is unknown, and the method throws an {@link
 *       AlreadyExistsException}. Give each child a controller and a unique name. The method
 *       requires a name; with {@code generateName}, an outdated cache would lead to duplicates.
 * </ul>
 *
 * <p>This class has no state.
 */
public final class CreateOrUpdate {

  private CreateOrUpdate() {}

  private interface Writer {
    <T extends HasMetadata> T content(Client client, T wanted, Change change);

    <T extends HasMetadata> T status(Client client, T wanted, Change change);

    /** Writes the status of an object whose type does not have a status subresource. */
    <T extends HasMetadata> T statusAsContent(Client client, T wanted, Change change);
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

        @Override
        public <T extends HasMetadata> T statusAsContent(Client client, T wanted, Change change) {
          return client.update(wanted);
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

        @Override
        public <T extends HasMetadata> T statusAsContent(Client client, T wanted, Change change) {
          return client.patch(wanted, ObjectPatch.merge(change.status()));
        }
      };

  /**
   * Creates the object, or replaces it if the mutation changes it. If another writer has changed
   * the object since it was read, this method throws a ConflictException. Fields that the Java
   * class does not declare are kept; see {@link Client#update}.
   *
   * @param skeleton an object of the desired type with a name and, if the type is namespaced, a
   *     namespace; if the object does not exist, the mutated skeleton is created
   * @param mutation a function that sets the desired fields
   * @throws dev.windlass.client.ConflictException if the object has changed since it was read
   * @throws NotControlledException if the object exists, but does not have the controller that the
   *     mutation sets; if it has another controller, an {@link AlreadyOwnedException} is thrown
   * @throws AlreadyExistsException if the object was created concurrently and the mutation does not
   *     set a controller
   * @throws IllegalArgumentException if the skeleton does not have a name, or if the mutation
   *     changes the name or the namespace
   */
  public static <T extends HasMetadata> Operation<T> createOrUpdate(
      Client client, T skeleton, Consumer<? super T> mutation) {
    return run(client, skeleton, mutation, UPDATE);
  }

  /**
   * Creates the object, or sends the changes that the mutation makes as a JSON merge patch. Fields
   * that the Java class does not declare remain unchanged, except in a list that the mutation
   * changes: the patch replaces the whole list. If another writer has changed the object since it
   * was read, a conflict occurs only if the patch replaces a list. In all other respects, this
   * method behaves like {@link #createOrUpdate}.
   *
   * @param skeleton the object to create if it does not exist; see {@link #createOrUpdate}
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
    ObjectSnapshot before = ObjectSnapshot.of(client.serialization(), object);
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
        // Compute the remaining change. An update has also written a status that is no subresource.
        object.getMetadata().setResourceVersion(written);
        change = ObjectSnapshot.of(client.serialization(), now).changeTo(object);
        version = written;
      }
    }
    if (change.status().isEmpty()) {
      return new Operation<>(now, result(content, false));
    }
    try {
      now = writer.status(client, object, change);
    } catch (ApiException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
      // The subresource or the object does not exist, as the next write shows.
      now = writer.statusAsContent(client, object, change);
    }
    return new Operation<>(
        now, result(content, !Objects.equals(version, now.getMetadata().getResourceVersion())));
  }

  /**
   * Copies the fields that the ownership check and its error messages need. The mutation cannot
   * change the copy.
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
