// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Reads and writes one subresource of objects, under the rules of {@link Client}. Reads are live.
 *
 * <p>Some subresources are a part of the object itself, like {@code status}: {@link #update},
 * {@link #patch} and {@link #apply} take and return the whole object. Others have a type of their
 * own, like {@code scale}, {@code eviction} or {@code token}: {@link #read}, {@link #replace} and
 * {@link #create} are for those.
 *
 * <p>As {@link Client}, it is not for implementation by programs, and may gain methods in any
 * release.
 */
public interface SubresourceClient {

  /** Replaces the subresource by that of the object; see {@link Client#update}. */
  <T extends HasMetadata> T update(T object);

  /** Changes the subresource; see {@link Client#patch}. */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /** Applies the subresource of the object; see {@link Client#apply}. */
  <T extends HasMetadata> T apply(T object);

  /**
   * Reads a subresource with a type of its own.
   *
   * @throws NotFoundException if the object does not exist or has no such subresource
   */
  <B> B read(Class<? extends HasMetadata> type, ObjectKey key, Class<B> bodyType);

  /** Replaces a subresource with a type of its own, and returns the server's answer. */
  <B> B replace(Class<? extends HasMetadata> type, ObjectKey key, B body);

  /** Posts to a subresource with a type of its own, and returns the server's answer. */
  <B, R> R create(Class<? extends HasMetadata> type, ObjectKey key, B body, Class<R> answerType);
}
