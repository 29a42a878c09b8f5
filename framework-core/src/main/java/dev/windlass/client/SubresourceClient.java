// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Reads and writes one subresource of objects, such as {@code status}. The rules of {@link Client}
 * apply, except that every read sends a request to the server.
 *
 * <p>If the subresource is a part of the object, such as {@code status}, use {@link #update},
 * {@link #patch} and {@link #apply}, which accept and return the whole object. If the subresource
 * has a type of its own, such as {@code scale}, {@code eviction} or {@code token}, use {@link
 * #read}, {@link #replace} and {@link #create}.
 *
 * <p>Programs must not implement this interface, because any release can add methods to it.
 */
public interface SubresourceClient {

  /** Replaces the subresource with the value in the given object; see {@link Client#update}. */
  <T extends HasMetadata> T update(T object);

  /** Patches the subresource of the object; see {@link Client#patch}. */
  <T extends HasMetadata> T patch(T object, ObjectPatch patch);

  /** Applies the fields of the subresource in the given object; see {@link Client#apply}. */
  <T extends HasMetadata> T apply(T object);

  /**
   * Reads the subresource of an object.
   *
   * @param bodyType the Java type of the subresource, such as {@code Scale}
   * @throws NotFoundException if the object does not exist or does not have this subresource
   */
  <B> B read(Class<? extends HasMetadata> type, ObjectKey key, Class<B> bodyType);

  /**
   * Replaces the subresource of an object with {@code body}, such as a {@code Scale}, and returns
   * the server's response.
   */
  <B> B replace(Class<? extends HasMetadata> type, ObjectKey key, B body);

  /**
   * Sends a POST request to the subresource, for example with an {@code Eviction} or a {@code
   * TokenRequest}, and returns the server's response.
   */
  <B, R> R create(Class<? extends HasMetadata> type, ObjectKey key, B body, Class<R> answerType);
}
