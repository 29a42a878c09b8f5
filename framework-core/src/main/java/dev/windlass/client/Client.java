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
 * Reads and writes Kubernetes objects.
 *
 * <ul>
 *   <li><em>Reads.</em> A type that a controller watches, or that {@code Manager.cache} named, is
 *       read from its cache, once that has synced: without a request. A cache that is narrowed by
 *       selectors or namespaces answers the lists that it covers, and each {@code get} that it has
 *       the object for; any other {@code get} is one request. Any other type is read from the
 *       server. No read waits for a cache. Whatever is returned belongs to the caller.
 *   <li><em>Namespaces.</em> If the program is restricted to some namespaces for a type, a list of
 *       all namespaces is a list of these, since its Role allows no other, unless it has declared
 *       that it lists the type everywhere. {@link #uncached()} lists the whole cluster.
 *   <li><em>Own writes.</em> A read from a cache may be a moment behind the server, but never
 *       behind what this process itself wrote: the answers to writes lie over the cache until the
 *       watch has caught up with them, those through {@code Manager.kubernetesClient()} included.
 *       That holds for {@link #get}, {@link #list} and lists by index, after creations, changes and
 *       deletions. The handlers of an informer, and its own lister, see the cache alone.
 *   <li><em>Writes</em> go to the server, once, and return its answer. What would change nothing is
 *       not sent: an {@link #update}, status update or merge patch of an object that was read from
 *       the cache and is as the cache has it; and an {@link #apply} of what was applied last, as
 *       long as nobody has changed or taken over what it led to. Creations, deletions, dry runs and
 *       writes without a resourceVersion are always sent. The answer is then what the cache has.
 *   <li><em>Failures</em> are an {@link ApiException}, whose subclasses tell apart what leads to
 *       different decisions. Failed writes are not repeated. An interrupt ends the wait for an
 *       answer with an ApiException and leaves the flag of the thread set.
 * </ul>
 *
 * <p>An object of a namespaced type must name its namespace: none is assumed. Objects are left as
 * they are; the answer is another one. Clients are immutable and safe for use by several threads.
 *
 * <p>Programs call this interface and do not implement it: it may gain methods in any release. For
 * unit tests of a reconciler there is {@code FakeClient} in the test kit, which also makes calls
 * fail.
 */
public interface Client {

  /**
   * The object, if it exists.
   *
   * @throws IllegalArgumentException if the key names no namespace and the type lives in some; so
   *     do all other methods that take a key or an object
   */
  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

  /** As {@link #get(Class, ObjectKey)}, of a type without a class. */
  Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key);

  /**
   * Returns the current state of an object, if it exists: of the one with the same type, namespace
   * and name.
   *
   * @param like may lack all the rest; a GenericKubernetesResource needs its apiVersion and kind
   */
  <T extends HasMetadata> Optional<T> get(T like);

  /** All objects of a type in a namespace; in all namespaces if it is empty. In no order. */
  default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    return list(type, ListParams.in(namespace));
  }

  /**
   * Objects of a type, in no order.
   *
   * @throws IllegalArgumentException if the options name an index that the cache does not have
   * @throws IllegalStateException if they name an index, and no cache has the objects or has synced
   */
  <T extends HasMetadata> List<T> list(Class<T> type, ListParams options);

  /** As {@link #list(Class, ListParams)}, of a type without a class. */
  List<GenericKubernetesResource> list(ResourceType type, ListParams options);

  /**
   * Creates the object and returns it as the server made it.
   *
   * @throws AlreadyExistsException if there is one of that name
   */
  <T extends HasMetadata> T create(T object);

  /**
   * Replaces the object. If it carries a resourceVersion, only that version is replaced. With a
   * status subresource, the status is left as it is.
   *
   * @throws ConflictException if it has changed since that version
   */
  <T extends HasMetadata> T update(T object);

  /** Replaces the status of the object and nothing else, under the rules of {@link #update}. */
  default <T extends HasMetadata> T updateStatus(T object) {
    return status().update(object);
  }

  /**
   * Changes the object.
   *
   * @param object says which one it is; and for {@link ObjectPatch#mergeFrom}, what it shall be
   *     like
   */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /**
   * Server-side apply: the fields that the object has become those of the field owner, fields that
   * it owned and that are missing now are removed, and all others stay. Creates what is not there.
   * Takes over fields of others, unless this is {@link #withoutForce}. The resourceVersion and the
   * managedFields of the object are not sent.
   *
   * @throws ConflictException without force, if others own some of the fields with other values; or
   *     if the object has a uid, and no object with that exists
   * @throws IllegalStateException if there is no field owner, see {@link #withFieldOwner}
   */
  <T extends HasMetadata> T apply(T object);

  /**
   * Creates the object as {@link #apply} would if there is none of that name, and never changes one
   * that exists. It is sent by POST, under the field owner with {@code -create} at its end; what it
   * sets belongs to later applies of the same field owner, so a field that one of them leaves out
   * is removed. That takes two more requests once, when an apply first leaves something out; or one
   * more, at the first apply, if the server added defaults.
   *
   * @return the object as the server made it
   * @throws AlreadyExistsException if there is one of that name
   * @throws IllegalStateException if there is no field owner, see {@link #withFieldOwner}
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
   * Deletes the object, if it exists and meets the conditions.
   *
   * @return whether it existed
   * @throws ConflictException if it exists and does not meet the conditions
   */
  <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteParams options);

  /** As {@link #delete(Class, ObjectKey, DeleteParams)}, of a type without a class. */
  boolean delete(ResourceType type, ObjectKey key, DeleteParams options);

  /**
   * Deletes all objects of a type that the options mean, in one request; some may be left if that
   * fails. Namespaced types need a namespace. A read directly after that asks the server for those
   * that are still to end.
   *
   * @throws IllegalArgumentException if the options have an index, a limit, or no namespace
   */
  <T extends HasMetadata> void deleteAllOf(Class<T> type, ListParams which, DeleteParams options);

  /** The status of objects. */
  default SubresourceClient status() {
    return subresource("status");
  }

  /** A subresource, such as {@code scale}. */
  SubresourceClient subresource(String name);

  /**
   * The same client without the caches: every read asks the server and returns the whole object,
   * and every write is sent.
   */
  Client uncached();

  /**
   * The same client, whose reads ask for so much of each object: {@link Projection#METADATA} for
   * its metadata alone, {@link Projection#FULL} for managedFields, too. A cache answers if it keeps
   * as much. By default a client reads whole objects, maybe without managedFields.
   *
   * <p>An object that lacks something can't be sent back as a whole: {@link #update} refuses it.
   */
  Client reading(Projection projection);

  /**
   * The same client, whose reads ask for objects as a transform leaves them: the caches with this
   * transform answer, and what the server answers is transformed as well. So a read has one form,
   * wherever it comes from. Keep a lambda in a constant: it is equal to itself only.
   *
   * <p>An object that lacks something can't be sent back as a whole: {@link #update} refuses it.
   */
  Client reading(Transform transform);

  /** The same client, whose writes the server checks and answers, but does not store. */
  Client dryRun();

  /**
   * The same client, whose writes have this field owner: 1 to 128 bytes of printable text. By
   * default it is the name of the controller whose reconcile runs; outside of reconciles it is what
   * {@code ManagerBuilder.fieldOwner} says, and without that an {@link #apply} is refused, and the
   * server takes the beginning of the user agent for other writes.
   */
  Client withFieldOwner(String owner);

  /** The same client with another way to treat unknown fields in writes. */
  Client withFieldValidation(FieldValidation validation);

  /**
   * The same client, whose {@link #apply} fails with a {@link ConflictException} instead of taking
   * over fields of others.
   */
  Client withoutForce();
}
