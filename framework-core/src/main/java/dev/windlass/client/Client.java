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
 * Reads and writes Kubernetes objects: reads come from caches where possible, writes go to the API
 * server.
 *
 * <ul>
 *   <li><em>Reads.</em> A type is read from its cache, without a request, if a controller watches
 *       it or {@code Manager.cache} was called for it, and the cache has synced. A cache narrowed
 *       by selectors or namespaces answers the lists that it covers, and each {@code get} of an
 *       object that it holds; any other {@code get} is one request. All other types are read from
 *       the server. No read waits for a cache. Returned objects belong to the caller.
 *   <li><em>Namespaces.</em> If the program is restricted to some namespaces for a type, a list of
 *       all namespaces covers only these, since its Role permits no others, unless the program has
 *       declared that it lists the type everywhere. {@link #uncached()} lists the whole cluster.
 *   <li><em>Own writes.</em> A read from a cache may lag behind the server, but never behind this
 *       process's own writes: the responses to writes overlay the cache until the watch has caught
 *       up, including writes through {@code Manager.kubernetesClient()}. This holds for {@link
 *       #get}, {@link #list} and lists by index, after creations, changes and deletions. The
 *       handlers of an informer, and its own lister, see only the cache.
 *   <li><em>Writes</em> go to the server, once, and return its response. A write that would change
 *       nothing is not sent, and returns the cached object: an {@link #update}, status update or
 *       merge patch of an object that was read from the cache and equals the cached state; and an
 *       {@link #apply} that repeats the last one, unless another writer has since changed or taken
 *       over its fields. Creations, deletions, dry runs, and updates and patches without a
 *       resourceVersion are always sent.
 *   <li><em>Failures.</em> A request that fails throws an {@link ApiException}; its subclasses
 *       represent failures that require different reactions. Failed writes are not retried. An
 *       interrupt ends the wait for a response with an ApiException, and the thread's interrupt
 *       flag stays set.
 * </ul>
 *
 * <p>An object of a namespaced type must name its namespace; there is no default. The client does
 * not modify the objects that it is given; it returns new ones. Clients are immutable and thread
 * safe.
 *
 * <p>Helpers for common tasks: {@link dev.windlass.client.owned.Owned#apply} applies an object that
 * another object owns, {@link dev.windlass.client.owned.CreateOrUpdate} creates an object or
 * updates it, {@link dev.windlass.client.owned.OwnerReferences} sets its owners, and {@link
 * dev.windlass.client.owned.Prune} deletes owned objects that are no longer wanted. {@link
 * dev.windlass.client.owned.Conditions} sets the conditions in a status, {@link
 * dev.windlass.client.owned.Finalizers} cleans up before an object is deleted, and {@link
 * Conflicts#retry} retries after conflicts.
 *
 * <p>Programs call this interface and do not implement it: any release may add methods. To
 * unit-test a reconciler, use the test kit's {@code FakeClient}, which can also make calls fail.
 */
public interface Client {

  /**
   * Returns the object, if it exists.
   *
   * @throws IllegalArgumentException if the key has no namespace and the type is namespaced; all
   *     other methods that take a key or an object throw it as well
   */
  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

  /** Same as {@link #get(Class, ObjectKey)}, for a type without a class. */
  Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key);

  /**
   * Returns the current state of the object with the same type, namespace and name, if it exists.
   *
   * @param like needs no other fields; a GenericKubernetesResource needs its apiVersion and kind
   */
  <T extends HasMetadata> Optional<T> get(T like);

  /**
   * Returns all objects of a type in a namespace, or in all namespaces if it is empty, in no
   * particular order.
   */
  default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    return list(type, ListParams.in(namespace));
  }

  /**
   * Returns the selected objects of a type, in no particular order.
   *
   * @throws IllegalArgumentException if the options name an index that the cache does not have
   * @throws IllegalStateException if the options name an index, and no cache that has synced holds
   *     the objects
   */
  <T extends HasMetadata> List<T> list(Class<T> type, ListParams options);

  /** Same as {@link #list(Class, ListParams)}, for a type without a class. */
  List<GenericKubernetesResource> list(ResourceType type, ListParams options);

  /**
   * Creates the object and returns it as the server created it.
   *
   * @throws AlreadyExistsException if an object of that name exists
   */
  <T extends HasMetadata> T create(T object);

  /**
   * Replaces the object. If it contains a resourceVersion, only that version is replaced. If its
   * type has a status subresource, the status remains unchanged.
   *
   * @throws ConflictException if the object has changed since that version
   */
  <T extends HasMetadata> T update(T object);

  /** Replaces only the status of the object, under the rules of {@link #update}. */
  default <T extends HasMetadata> T updateStatus(T object) {
    return status().update(object);
  }

  /**
   * Patches the object.
   *
   * @param object identifies the object; for {@link ObjectPatch#mergeFrom}, it is also the desired
   *     state
   */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /**
   * Applies the object with server-side apply: the field owner becomes the owner of the fields in
   * the object, fields that it owned and that are now missing are removed, and all others stay.
   * Creates the object if it does not exist. Takes over fields from other owners, unless this
   * client is {@link #withoutForce}. The resourceVersion and the managedFields of the object are
   * not sent.
   *
   * @throws ConflictException without force, if others own some of the fields with different
   *     values; or if the object has a uid and no object with that uid exists
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T apply(T object);

  /**
   * Creates the object as {@link #apply} would, and never changes an existing object. The client
   * sends a POST under the field owner with the suffix {@code -create}. The fields that it sets
   * belong to later applies of the same field owner, so a field that one of them omits is removed.
   * This costs two additional requests once, when an apply first omits a field, or one additional
   * request at the first apply if the server has added defaults.
   *
   * @return the object as the server created it
   * @throws AlreadyExistsException if an object of that name exists
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T applyNew(T object);

  /**
   * Deletes the object, if it exists.
   *
   * @return whether it existed
   */
  default <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key) {
    return delete(type, key, DeleteParams.DEFAULT);
  }

  /**
   * Deletes the object, if it exists and meets the preconditions.
   *
   * @return whether it existed
   * @throws ConflictException if it exists and does not meet the preconditions
   */
  <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteParams options);

  /** Same as {@link #delete(Class, ObjectKey, DeleteParams)}, for a type without a class. */
  boolean delete(ResourceType type, ObjectKey key, DeleteParams options);

  /**
   * Deletes all selected objects of a type, in one request; if it fails, some may remain.
   * Namespaced types need a namespace. A read immediately afterwards requests from the server the
   * objects whose deletion the cache has not seen yet.
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
   * Returns this client without caches: every read is a request that returns the whole object, and
   * every write is sent.
   */
  Client uncached();

  /**
   * Returns this client with reads that request a part of each object: {@link Projection#METADATA}
   * for its metadata only, {@link Projection#FULL} to include managedFields. A cache answers if it
   * keeps that part. By default, a client reads whole objects, which may lack managedFields.
   *
   * <p>An object that lacks something can't be sent back as a whole: {@link #update} rejects it.
   */
  Client reading(Projection projection);

  /**
   * Returns this client with reads that transform objects. Caches with this transform answer, and
   * objects from the server are transformed as well, so a read has one form, regardless of its
   * source. Keep a lambda in a constant: it is equal only to itself.
   *
   * <p>An object that lacks something can't be sent back as a whole: {@link #update} rejects it.
   */
  Client reading(Transform transform);

  /** Returns this client with writes that the server checks and answers, but does not store. */
  Client dryRun();

  /**
   * Returns this client with a field owner for its writes: 1 to 128 bytes of printable text. By
   * default, an {@link #apply} in a reconcile uses the name of the running controller; other writes
   * use the value of {@code ManagerBuilder.fieldOwner}. Without that, an apply outside a reconcile
   * is rejected, and for other writes the server uses the beginning of the user agent.
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
