// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes Kubernetes objects. Reads are answered by caches where possible. Writes are sent
 * to the API server.
 *
 * <ul>
 *   <li><em>Reads.</em> A type is read from its cache, without a request, if a controller watches
 *       the type or {@code Manager.cache} was called for it, and if the cache has synced. A cache
 *       that is narrowed by selectors or namespaces answers the lists that it covers, and each
 *       {@code get} of an object that it holds. Any other {@code get} sends one request. All other
 *       types are read from the server. A read never waits for a cache. The caller owns the
 *       returned objects and can modify them.
 *   <li><em>Namespaces.</em> If the program is restricted to some namespaces for a type, a list of
 *       all namespaces covers only these namespaces, because its Role permits no others. This
 *       restriction does not apply to a program that has declared that it lists the type in all
 *       namespaces. {@link #uncached()} lists the whole cluster.
 *   <li><em>Own writes.</em> A read from a cache can lag behind the server, but never behind this
 *       process's own writes. The responses to writes overlay the cache until the watch has caught
 *       up, including the responses to writes through {@code Manager.kubernetesClient()}. This
 *       guarantee holds for {@link #get}, {@link #list} and lists by index, after creations,
 *       changes and deletions. The handlers of an informer, and its own lister, see only the cache.
 *   <li><em>Writes</em> are sent to the server once and return its response. A write that would
 *       have no effect is not sent, and returns the cached object. This applies to an {@link
 *       #update}, a status update or a JSON merge patch for an object that was read from the cache
 *       and equals the cached state. It also applies to an {@link #apply} that repeats the last
 *       one, unless another writer has since changed or taken over its fields. Creations,
 *       deletions, dry runs, and updates and patches without a resourceVersion are always sent.
 *   <li><em>Failures.</em> A request that fails throws an {@link ApiException}. The subclasses
 *       represent failures that require different reactions. Failed writes are not retried. If the
 *       thread is interrupted while it waits for a response, the call throws an ApiException, and
 *       the thread's interrupt flag stays set.
 * </ul>
 *
 * <p>An object of a namespaced type must name its namespace, because there is no default. The
 * client does not modify the objects that are passed to it; it returns new ones. Clients are
 * immutable and thread-safe.
 *
 * <p>The following helpers perform common tasks:
 *
 * <ul>
 *   <li>{@link dev.windlass.client.owned.Owned#apply} applies an object that another object owns.
 *   <li>{@link dev.windlass.client.owned.CreateOrUpdate} creates an object or updates it.
 *   <li>{@link dev.windlass.client.owned.OwnerReferences} sets the owners of an object.
 *   <li>{@link dev.windlass.client.owned.Prune} deletes owned objects that are no longer desired.
 *   <li>{@link dev.windlass.client.owned.Conditions} sets the conditions in a status.
 *   <li>{@link dev.windlass.client.owned.Finalizers} cleans up before an object is deleted.
 *   <li>{@link Conflicts#retry} retries after conflicts.
 * </ul>
 *
 * <p>Programs call this interface and must not implement it, because any release can add methods.
 * To unit-test a reconciler, use the test kit's {@code FakeClient}, which can also simulate
 * failures.
 */
public interface Client {

  /**
   * Returns the object, if it exists.
   *
   * @throws IllegalArgumentException if the key has no namespace and the type is namespaced. All
   *     other methods that accept a key or an object throw this exception as well
   */
  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

  /** Returns the object, if it exists, for a type that has no Java class. */
  Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key);

  /**
   * Returns the current state of the object that has the same type, namespace and name, if it
   * exists.
   *
   * @param like an object with a namespace and a name; other fields are ignored, except that a
   *     GenericKubernetesResource also needs its apiVersion and kind
   */
  <T extends HasMetadata> Optional<T> get(T like);

  /**
   * Returns all objects of a type in a namespace, or in all namespaces if the given namespace is
   * empty. The order is unspecified.
   */
  default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    return list(type, ListParams.in(namespace));
  }

  /**
   * Returns the selected objects of a type. The order is unspecified.
   *
   * @throws IllegalArgumentException if the options name an index that the cache does not have
   * @throws IllegalStateException if the options name an index, and no synced cache holds the
   *     objects
   */
  <T extends HasMetadata> List<T> list(Class<T> type, ListParams options);

  /**
   * Returns the selected objects of a type that has no Java class; see {@link #list(Class,
   * ListParams)}.
   */
  List<GenericKubernetesResource> list(ResourceType type, ListParams options);

  /**
   * Creates the object and returns it as the server stored it.
   *
   * @throws AlreadyExistsException if an object of that name exists
   */
  <T extends HasMetadata> T create(T object);

  /**
   * Replaces the object. If the object contains a resourceVersion, the update succeeds only if the
   * stored object still has that version. If the type has a status subresource, the status remains
   * unchanged.
   *
   * @throws ConflictException if the stored object has another version
   */
  <T extends HasMetadata> T update(T object);

  /** Replaces only the status of the object. The rules of {@link #update} apply. */
  default <T extends HasMetadata> T updateStatus(T object) {
    return status().update(object);
  }

  /**
   * Patches the object.
   *
   * @param object the object to patch; for {@link ObjectPatch#mergeFrom}, it is also the desired
   *     state
   */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /**
   * Applies the object by server-side apply. The field owner becomes the owner of the fields in the
   * object. Fields that it owned and that are now missing are removed, and all other fields remain
   * unchanged. The object is created if it does not exist. Fields of other owners are taken over,
   * unless this client is {@link #withoutForce}. The resourceVersion and the managedFields of the
   * object are not sent.
   *
   * @throws ConflictException if other owners own some of the fields with different values and this
   *     client is {@link #withoutForce}, or if the object has a uid and no object with that uid
   *     exists
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T apply(T object);

  /**
   * Creates the object in the same way as {@link #apply}, but never changes an existing object. The
   * client sends a POST request under the field owner with the suffix {@code -create}. Later
   * applies of the same field owner own the fields of this request, so a field that one of these
   * applies omits is removed. The transfer of ownership costs two additional requests once, when an
   * apply first omits a field. If the server has added defaults, it costs one additional request at
   * the first apply.
   *
   * @return the object as the server stored it
   * @throws AlreadyExistsException if an object of that name exists
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T applyNew(T object);

  /**
   * Deletes the object, if it exists.
   *
   * @return whether the object existed
   */
  default <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key) {
    return delete(type, key, DeleteParams.DEFAULT);
  }

  /**
   * Deletes the object, if it exists and meets the preconditions.
   *
   * @return whether the object existed
   * @throws ConflictException if the object exists and does not meet the preconditions
   */
  <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteParams options);

  /**
   * Deletes an object of a type that has no Java class; see {@link #delete(Class, ObjectKey,
   * DeleteParams)}.
   */
  boolean delete(ResourceType type, ObjectKey key, DeleteParams options);

  /**
   * Deletes all selected objects of a type in one request. If the request fails, some objects may
   * remain. A namespaced type requires a namespace. A read that follows immediately requests from
   * the server the objects whose deletion the cache has not received yet.
   *
   * @throws IllegalArgumentException if the parameters contain an index or a limit, or lack a
   *     required namespace
   */
  <T extends HasMetadata> void deleteAllOf(Class<T> type, ListParams which, DeleteParams options);

  /** Returns a client for the status of objects. */
  default SubresourceClient status() {
    return subresource("status");
  }

  /** Returns a client for a subresource, such as {@code scale}. */
  SubresourceClient subresource(String name);

  /**
   * Returns this client without caches. Every read sends a request and returns the whole object,
   * and every write is sent.
   */
  Client uncached();

  /**
   * Returns this client with reads that return a part of each object. {@link Projection#METADATA}
   * returns only the metadata, and {@link Projection#FULL} includes managedFields. A cache answers
   * if it keeps that part. By default, a client reads whole objects, which may lack managedFields.
   *
   * <p>An incomplete object can't be sent back as a whole, so {@link #update} rejects it.
   */
  Client reading(Projection projection);

  /**
   * Returns this client with reads that transform objects. Only caches with the same transform
   * answer. Objects from the server are also transformed, so a read returns the same form
   * regardless of its source. Keep a lambda in a constant, because a lambda is equal only to
   * itself.
   *
   * <p>An incomplete object can't be sent back as a whole, so {@link #update} rejects it.
   */
  Client reading(Transform transform);

  /** Returns this client with writes that the server validates and answers but does not store. */
  Client dryRun();

  /**
   * Returns this client with a field owner for its writes. A field owner has 1 to 128 bytes of
   * printable text. By default, an {@link #apply} in a reconcile uses the name of the running
   * controller, and other writes use the value of {@code ManagerBuilder.fieldOwner}. If that value
   * is not set, an apply outside a reconcile is rejected, and for other writes the server uses the
   * beginning of the user agent.
   */
  Client withFieldOwner(String owner);

  /** Returns this client with another policy for unknown fields in writes. */
  Client withFieldValidation(FieldValidation validation);

  /**
   * Returns this client with an {@link #apply} that throws a {@link ConflictException} instead of
   * taking over fields from other owners.
   */
  Client withoutForce();
}
