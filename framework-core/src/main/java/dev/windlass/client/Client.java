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
 * Reads and writes Kubernetes objects. The client serves reads from caches where possible, and
 * sends writes to the API server.
 *
 * <ul>
 *   <li><em>Reads.</em> The client reads a type from its cache, without a request, if a controller
 *       watches the type or {@code Manager.cache} was called for it, and if the cache has synced. A
 *       cache that is narrowed by selectors or namespaces serves the lists that it covers, and each
 *       {@code get} of an object that it holds. Any other {@code get} sends one request. The client
 *       reads types without a cache from the server. A read never waits for a cache to sync. The
 *       caller owns the returned objects and can modify them.
 *   <li><em>Namespaces.</em> If the program is restricted to certain namespaces for a type, a list
 *       of all namespaces covers only these namespaces, because the program has no permissions in
 *       other namespaces. This restriction does not apply to types for which the program has
 *       declared that it lists them in all namespaces. {@link #uncached()} lists the whole cluster.
 *   <li><em>Own writes.</em> A read from a cache can lag behind the server, but never behind this
 *       process's own writes. The response to each write overlays the cache until the watch has
 *       caught up. The same applies to writes through {@code Manager.kubernetesClient()}. The
 *       guarantee holds for {@link #get}, {@link #list} and lists by index, after creations,
 *       changes and deletions. An informer's handlers and lister use only the cache, without this
 *       overlay.
 *   <li><em>Writes.</em> The client sends a write to the server once and returns the server's
 *       response. If a write would have no effect, the client returns the cached object without
 *       sending a request. This applies to an {@link #update}, a status update or a JSON merge
 *       patch if the object was read from the cache and still equals the cached state. It also
 *       applies to an {@link #apply} that repeats the previous one, unless another writer has since
 *       changed the applied fields or taken ownership of them. The client always sends creations,
 *       deletions, dry runs, and updates and patches without a resourceVersion.
 *   <li><em>Failures.</em> A failed request throws an {@link ApiException}. Its subclasses
 *       represent the failures that callers typically handle differently. The client does not retry
 *       failed writes. If the thread is interrupted while it waits for a response, the call throws
 *       an ApiException, and the thread's interrupt flag remains set.
 * </ul>
 *
 * <p>An object of a namespaced type must specify its namespace, because there is no default. The
 * client never modifies the objects that are passed to it; it returns new ones. Clients are
 * immutable and thread-safe.
 *
 * <p>The following helpers perform common tasks:
 *
 * <ul>
 *   <li>{@link dev.windlass.client.owned.Owned#apply} applies an object that another object owns.
 *   <li>{@link dev.windlass.client.owned.CreateOrUpdate} creates an object or updates it.
 *   <li>{@link dev.windlass.client.owned.OwnerReferences} sets an object's owners.
 *   <li>{@link dev.windlass.client.owned.Prune} deletes owned objects that are no longer desired.
 *   <li>{@link dev.windlass.client.owned.Conditions} sets the conditions in a status.
 *   <li>{@link dev.windlass.client.owned.Finalizers} cleans up before an object is deleted.
 *   <li>{@link Conflicts#retry} retries after conflicts.
 * </ul>
 *
 * <p>Programs must not implement this interface, because any release can add methods to it. To
 * unit-test a reconciler, use the test kit's {@code FakeClient}, which can also simulate failures.
 */
public interface Client {

  /**
   * Returns the object with the given key, if it exists.
   *
   * @throws IllegalArgumentException if the type is namespaced but the key does not contain a
   *     namespace. All other methods that accept a key or an object also throw this exception in
   *     this case
   */
  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

  /** Returns the object with the given key, if it exists; for a type without a Java class. */
  Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key);

  /**
   * Returns the current state of the object with the same type, namespace and name as the given
   * object, if it exists.
   *
   * @param like an object with a namespace and a name; other fields are ignored, except that a
   *     GenericKubernetesResource also needs its apiVersion and kind
   */
  <T extends HasMetadata> Optional<T> get(T like);

  /**
   * Returns all objects of a type in a namespace, or in all namespaces if the given namespace is
   * empty, in unspecified order.
   */
  default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    return list(type, ListParams.in(namespace));
  }

  /**
   * Returns the selected objects of a type, in unspecified order.
   *
   * @throws IllegalArgumentException if the options name an index that the cache does not have
   * @throws IllegalStateException if the options name an index, but no synced cache holds the
   *     objects
   */
  <T extends HasMetadata> List<T> list(Class<T> type, ListParams options);

  /**
   * Returns the selected objects of a type that does not have a Java class; see {@link #list(Class,
   * ListParams)}.
   */
  List<GenericKubernetesResource> list(ResourceType type, ListParams options);

  /**
   * Creates the object and returns the state that the server stored.
   *
   * @throws AlreadyExistsException if an object with the same name exists
   */
  <T extends HasMetadata> T create(T object);

  /**
   * Replaces the object. If the given object contains a resourceVersion, the update succeeds only
   * if the stored object still has that version. If the type has a status subresource, the status
   * remains unchanged.
   *
   * @throws ConflictException if the stored object has a different version
   */
  <T extends HasMetadata> T update(T object);

  /** Replaces only the object's status. The rules of {@link #update} apply. */
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
   * Applies the object using server-side apply. The field owner becomes the owner of all fields in
   * the given object. The server removes fields that this owner owned before and that the given
   * object no longer contains. All other fields remain unchanged. If the object does not exist, the
   * server creates it. The apply takes over fields from other owners unless this client was created
   * by {@link #withoutForce}. The request does not contain the object's resourceVersion and
   * managedFields.
   *
   * @throws ConflictException if other owners own some of the fields with different values and this
   *     client was created by {@link #withoutForce}, or if the object has a uid and no object with
   *     that uid exists
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T apply(T object);

  /**
   * Creates the object like {@link #apply}, but never changes an existing object. The client sends
   * a POST request with a separate field owner, whose name is this client's field owner followed by
   * {@code -create} and a hash. When this client's field owner later applies the object, the client
   * transfers the ownership of the created fields to this field owner, so the server removes a
   * field that the apply omits. The transfer costs two additional requests once, when an apply
   * first omits a field. If the server has added defaults, it costs one additional request at the
   * first apply.
   *
   * @return the object as stored by the server
   * @throws AlreadyExistsException if an object with the same name exists
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
   * Deletes an object of a type that does not have a Java class; see {@link #delete(Class,
   * ObjectKey, DeleteParams)}.
   */
  boolean delete(ResourceType type, ObjectKey key, DeleteParams options);

  /**
   * Deletes all selected objects of a type in one request. If the request fails, some objects may
   * remain. A namespaced type requires a namespace. Until the cache has received an object's
   * deletion, the client reads this object from the server.
   *
   * @throws IllegalArgumentException if {@code which} contains an index or a limit, or lacks the
   *     namespace of a namespaced type
   */
  <T extends HasMetadata> void deleteAllOf(Class<T> type, ListParams which, DeleteParams options);

  /** Returns a client for the {@code status} subresource of objects. */
  default SubresourceClient status() {
    return subresource("status");
  }

  /** Returns a client for a subresource, such as {@code scale}. */
  SubresourceClient subresource(String name);

  /**
   * Returns a variant of this client that does not use caches. It sends a request for every read
   * and every write, and reads return whole objects.
   */
  Client uncached();

  /**
   * Returns a variant of this client whose reads return only the given part of each object. {@link
   * Projection#METADATA} returns only the metadata, and {@link Projection#FULL} includes
   * managedFields. The client reads from a cache only if the cache holds this part. By default, a
   * client reads whole objects, which may lack managedFields.
   *
   * <p>{@link #update} rejects incomplete objects, because they cannot be sent back as a whole.
   */
  Client reading(Projection projection);

  /**
   * Returns a variant of this client whose reads transform each object. The client reads from a
   * cache only if the cache has an equal transform. The client also transforms objects that it
   * reads from the server, so the result of a read does not depend on where the object was read. If
   * the transform is a lambda, store it in a constant, because a lambda is equal only to itself.
   *
   * <p>{@link #update} rejects incomplete objects, because they cannot be sent back as a whole.
   */
  Client reading(Transform transform);

  /**
   * Returns a variant of this client for dry runs: the server validates its writes and responds to
   * them, but does not store the results.
   */
  Client dryRun();

  /**
   * Returns a variant of this client that uses the given field owner for its writes. A field owner
   * consists of 1 to 128 bytes of printable characters. By default, an {@link #apply} in a
   * reconcile uses the running controller's name, and other writes use the value of {@code
   * ManagerBuilder.fieldOwner}. If that value is not set, the client rejects an apply outside a
   * reconcile, and for other writes the server uses the beginning of the user agent.
   */
  Client withFieldOwner(String owner);

  /**
   * Returns a variant of this client that uses the given policy for unknown and duplicate fields in
   * its writes.
   */
  Client withFieldValidation(FieldValidation validation);

  /**
   * Returns a variant of this client whose {@link #apply} throws a {@link ConflictException}
   * instead of taking over fields from other owners.
   */
  Client withoutForce();
}
