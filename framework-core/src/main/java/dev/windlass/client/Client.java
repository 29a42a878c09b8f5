// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes Kubernetes objects.
 *
 * <p>A type that a controller watches is read from its cache, once that has synced: without a
 * request, and perhaps a moment behind the server. Any other type is read from the server. Whatever
 * is returned belongs to the caller. Writes go to the server and return its answer.
 *
 * <p>Methods that talk to the server throw {@link
 * io.fabric8.kubernetes.client.KubernetesClientException}, whose code tells what went wrong: 404
 * not found, 409 conflict or already exists, 403 forbidden, 422 invalid. Failed writes are not
 * repeated.
 *
 * <p>Safe for use by several threads.
 */
public interface Client {

  /**
   * The object, if it exists.
   *
   * @throws IllegalArgumentException if the key names no namespace and the type lives in some; so
   *     does {@link #delete}
   */
  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

  /** All objects of a type in a namespace; in all namespaces if it is empty. In no order. */
  <T extends HasMetadata> List<T> list(Class<T> type, String namespace);

  /** Creates the object and returns it as the server made it. */
  <T extends HasMetadata> T create(T object);

  /**
   * Replaces the object. If it carries a resourceVersion, only that version is replaced, and any
   * other leads to a conflict. With a status subresource, the status is left as it is.
   */
  <T extends HasMetadata> T update(T object);

  /** Replaces the status of the object and nothing else, under the rules of {@link #update}. */
  <T extends HasMetadata> T updateStatus(T object);

  /**
   * Deletes the object in the background, if it exists.
   *
   * @return whether it existed
   */
  <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key);

  /** The same client without the caches: every read asks the server. */
  Client uncached();
}
