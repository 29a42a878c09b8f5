// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes Kubernetes objects. The client serves reads from caches where possible, and
 * sends writes to the API server.
 *
 * <ul>
 *   <li><em>Reads.</em> A type has a cache if a controller watches it or {@code Manager.cache} was
 *       called for it. Once the cache has synced, the client serves reads from it without sending a
 *       request. If the cache is restricted by selectors or namespaces, it serves only the lists
 *       that it fully covers, and {@code get} calls for the objects that it contains. All other
 *       reads send a request to the server. A read never waits for a cache to sync. The caller can
 *       modify the returned objects.
 *   <li><em>Namespaces.</em> If the program is restricted to certain namespaces for a type, a list
 *       of all namespaces covers only these namespaces, because the program has no permissions in
 *       the others. The program can declare that it lists a type in all namespaces; the restriction
 *       then does not apply to lists of this type. {@link #uncached()} always lists the whole
 *       cluster.
 *   <li><em>Own writes.</em> A read from a cache can return outdated data, but it always reflects
 *       this process's own writes. The client keeps the response to each write and uses it until
 *       the watch has delivered the change. This guarantee applies to {@link #get}, {@link #list}
 *       and lists by index, and covers creations, changes and deletions. It includes writes through
 *       {@code Manager.kubernetesClient()}. It does not apply to an informer's handlers and lister,
 *       which use only the cache.
 *   <li><em>Writes.</em> The client sends a write to the server once and returns the server's
 *       response. If a write would have no effect, the client returns the cached object without
 *       sending a request. It skips an {@link #update}, a status update or a JSON merge patch if
 *       the object was read from the cache and is equal to the cached object. It skips an {@link
 *       #apply} that repeats the previous one, unless another writer has since changed the applied
 *       fields or taken ownership of them. The client always sends creations, deletions and dry
 *       runs. It also always sends updates and patches without a resourceVersion.
 *   <li><em>Failures.</em> If a request fails, the method throws an {@link ApiException}. Its
 *       subclasses represent the failures that callers typically handle differently. The client
 *       does not retry failed writes. If the thread is interrupted while it waits for a response,
 *       the method throws an ApiException, and the thread's interrupt status remains set.
 * </ul>
 *
 * <p>An object of a namespaced type must specify its namespace; there is no default namespace. The
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
 * unit-test a reconciler, create a client with the test kit's {@code FakeClient}.
 */
public interface Client {

  /**
   * Returns the object with the given key, if it exists.
   *
   * @throws IllegalArgumentException if the type is namespaced and the key does not contain a
   *     namespace. All other methods that accept a key or an object also throw this exception if
   *     the namespace is missing
   */
  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

  /**
   * Returns an object of a type that does not have a Java class; see {@link #get(Class,
   * ObjectKey)}.
   */
  Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key);

  /**
   * Returns the current version of the given object, if it exists.
   *
   * @param like an object that identifies the object to return by its type, namespace and name. If
   *     it is a GenericKubernetesResource, its apiVersion and kind identify the type. Other fields
   *     are ignored
   */
  <T extends HasMetadata> Optional<T> get(T like);

  /**
   * Returns all objects of a type in the given namespace. If the namespace is empty, returns the
   * objects in all namespaces. The order is unspecified.
   */
  default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    return list(type, ListParams.in(namespace));
  }

  /**
   * Returns the objects of a type that match the given parameters. The order is unspecified.
   *
   * @throws IllegalArgumentException if the parameters name an index that the cache does not have
   * @throws IllegalStateException if the parameters name an index, but no synced cache covers the
   *     list
   * @throws UndecodableException if one of these objects cannot be decoded into its class; the
   *     message names the object and the field. A program that acts on the absence of an object
   *     therefore never mistakes an invalid object for an absent one
   */
  default <T extends HasMetadata> List<T> list(Class<T> type, ListParams options) {
    return listReadable(type, options).all();
  }

  /**
   * Returns the objects that match the given parameters and can be decoded into their class, and
   * the keys of those that cannot. Use this method if an invalid object must not affect the others,
   * for example in a function that maps an event to requests. In all other respects, this method
   * behaves like {@link #list(Class, ListParams)}.
   */
  <T extends HasMetadata> ReadableObjects<T> listReadable(Class<T> type, ListParams options);

  /**
   * Returns the selected objects of a type that does not have a Java class; see {@link #list(Class,
   * ListParams)}.
   */
  List<GenericKubernetesResource> list(ResourceType type, ListParams options);

  /**
   * Creates the object and returns it as stored by the server.
   *
   * @throws AlreadyExistsException if an object with the same name exists
   */
  <T extends HasMetadata> T create(T object);

  /**
   * Replaces the object. If the given object contains a resourceVersion, the update succeeds only
   * if the stored object still has that version. If the type has a status subresource, the status
   * remains unchanged.
   *
   * <p>Fields of the stored object that the object's class does not declare are kept, unless the
   * caller removed the field that contains them. To find them, the client compares the object with
   * the version that its resourceVersion names. If no cache holds this version, the client reads
   * the object from the server first; without a resourceVersion, it always does, and the update
   * succeeds only if the object does not change in between. A field that the stored object lacks,
   * and that only has the default value of the class, is not written. A {@link
   * GenericKubernetesResource} and fabric8's classes of built-in types contain all fields and need
   * no such read.
   *
   * @throws ConflictException if the stored object has a different version
   * @throws IllegalArgumentException if a list in the object may lose such a field: an element has
   *     changed or is new, another one that has undeclared fields is missing, and no unique {@code
   *     name}, {@code type} or {@code key} shows that they are the same
   */
  <T extends HasMetadata> T update(T object);

  /**
   * Replaces only the object's status. The rules of {@link #update} apply: the fields of the status
   * that the class does not declare are kept. Every other field of the given status is written,
   * also one that has the default value of its class, such as {@code false} or zero.
   */
  default <T extends HasMetadata> T updateStatus(T object) {
    return status().update(object);
  }

  /**
   * Patches the object.
   *
   * @param object the object to patch. With {@link ObjectPatch#mergeFrom}, this object also
   *     contains the desired changes
   */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /**
   * Applies the object using server-side apply. If the object does not exist, the server creates
   * it. The field owner becomes the owner of all fields in the given object. It takes over fields
   * from other owners, unless this client was created by {@link #withoutForce}. The server removes
   * fields that the field owner applied earlier and that the given object no longer contains. All
   * other fields remain unchanged. The client omits the object's resourceVersion and managedFields
   * from the request.
   *
   * <p>If the server refuses the apply because of a field that no manager owns, such as a default
   * that does not fit the new fields, the client claims this field and applies again, so that the
   * apply removes it.
   *
   * @throws ConflictException if another owner has set one of the fields to a different value and
   *     this client was created by {@link #withoutForce}, or if the given object has a uid and the
   *     server has no object with this uid
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T apply(T object);

  /**
   * Applies an object that contains the whole desired state of an existing one, and only if this
   * one still exists. If the field owner has created or updated the existing object, but not
   * applied it yet, it first takes over the fields that it has set in this way, so that the apply
   * removes those that it omits; {@link #apply} would leave them. Most programs use {@link
   * dev.windlass.client.owned.Owned#apply}, which calls this method.
   *
   * @param existing the object as it was read
   * @throws ConflictException see {@link #apply}
   * @throws IllegalStateException if there is no field owner; see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T applyWhole(T object, T existing);

  /**
   * Creates the object using server-side apply, and never changes an existing object. The request
   * is an {@link #apply} whose resourceVersion no existing object can have. If the server does not
   * support server-side apply, as fabric8's mock server, the client sends a POST request.
   *
   * @return the object as stored by the server
   * @throws AlreadyExistsException if an object with the same name exists
   * @throws ConflictException if the server reports another conflict, such as one of a quota
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
   * Deletes all selected objects of a type in one request. If the request fails, some of the
   * objects may remain. The client reads each of these objects from the server until the cache has
   * received its deletion.
   *
   * @throws IllegalArgumentException if {@code which} contains an index or a limit, or if the type
   *     is namespaced and {@code which} does not specify a namespace
   */
  <T extends HasMetadata> void deleteAllOf(Class<T> type, ListParams which, DeleteParams options);

  /** Returns a client for the {@code status} subresource of objects. */
  default SubresourceClient status() {
    return subresource("status");
  }

  /** Returns a client for a subresource, such as {@code scale}. */
  SubresourceClient subresource(String name);

  /**
   * Returns a variant of this client that does not use caches. Every read and every write sends a
   * request, and reads return whole objects.
   */
  Client uncached();

  /**
   * Returns a variant of this client whose reads return only the given part of each object. {@link
   * Projection#METADATA} returns only the metadata. {@link Projection#FULL} returns the whole
   * object, including its managedFields. By default, a client returns whole objects, but may omit
   * the managedFields. The client reads from a cache only if the cache holds the given part.
   *
   * <p>{@link #update} rejects objects with missing fields, because it would delete these fields.
   */
  Client reading(Projection projection);

  /**
   * Returns a variant of this client that applies the given transform to each object that it reads.
   * The result of a read is the same, whether the object comes from a cache or from the server. The
   * client reads from a cache only if the cache has an equal transform. If the transform is a
   * lambda, store it in a constant, because a lambda is equal only to itself.
   *
   * <p>{@link #update} rejects objects with missing fields, because it would delete these fields.
   */
  Client reading(Transform transform);

  /**
   * Returns a variant of this client for dry runs. The server processes its writes and returns the
   * results, but does not store them; deletions keep the objects. The results have no
   * resourceVersion. A dry run takes over and claims no fields, so the server can refuse a dry run
   * of an apply that it would accept otherwise.
   */
  Client dryRun();

  /**
   * Returns a variant of this client that uses the given field owner for its writes. The name must
   * consist of 1 to 128 bytes of printable characters. By default, writes in a reconcile use the
   * running controller's name, and others use {@code ManagerBuilder.fieldOwner}. If that option is
   * not set, the client rejects an apply outside a reconcile, and the server derives the field
   * owner of other writes from the user agent. An update or patch of a subresource, such as the
   * status, does not use the controller's name.
   */
  Client withFieldOwner(String owner);

  /**
   * Returns a copy of this client with the given field validation, which determines how the server
   * handles unknown and duplicate fields in the copy's writes.
   */
  Client withFieldValidation(FieldValidation validation);

  /**
   * Returns a variant of this client whose {@link #apply} throws a {@link ConflictException}
   * instead of taking over fields from other owners.
   */
  Client withoutForce();

  /**
   * Returns the serialization that this client uses for objects, which is that of its fabric8
   * client. Helpers such as {@link dev.windlass.client.owned.Owned} use it to copy and compare
   * objects.
   */
  ObjectSerialization serialization();
}
