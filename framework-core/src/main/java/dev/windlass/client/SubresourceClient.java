// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Reads and writes one subresource of objects, under the rules of {@link Client}. Every read is a
 * request to the server.
 *
 * <p>Some subresources, such as {@code status}, are a part of the object: {@link #update}, {@link
 * #patch} and {@link #apply} take and return the whole object. Others, such as {@code scale},
 * {@code eviction} or {@code token}, have their own type: use {@link #read}, {@link #replace} and
 * {@link #create} for these.
 *
 * <p>As with {@link Client}, programs do not implement this interface: any release may add methods.
 */
public interface SubresourceClient {

  /** Replaces the subresource with that of the object; see {@link Client#update}. */
  <T extends HasMetadata> T update(T object);

  /** Patches the subresource; see {@link Client#patch}. */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /** Applies the subresource of the object; see {@link Client#apply}. */
  <T extends HasMetadata> T apply(T object);

  /**
   * Reads a subresource that has its own type.
   *
   * @throws NotFoundException if the object does not exist or has no such subresource
   */
  <B> B read(Class<? extends HasMetadata> type, ObjectKey key, Class<B> bodyType);

  /** Replaces a subresource that has its own type, and returns the server's response. */
  <B> B replace(Class<? extends HasMetadata> type, ObjectKey key, B body);

  /** Posts to a subresource that has its own type, and returns the server's response. */
  <B, R> R create(Class<? extends HasMetadata> type, ObjectKey key, B body, Class<R> answerType);
}
