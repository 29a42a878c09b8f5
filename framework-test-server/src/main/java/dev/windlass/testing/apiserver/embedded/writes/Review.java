// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reviews a write before it is stored, as admission webhooks do. Objects are in the request's
 * version. An empty object stands for an object that does not exist: the old object of a create, or
 * the new object of a delete.
 *
 * <p>If the review is {@linkplain #isActive() active}, the server does not hold the store's lock
 * while it calls {@link #mutate} and {@link #validate}. If another request changes the object in
 * the meantime, the server reads the object again and repeats both calls.
 */
public interface Review {

  /** A review that accepts everything. */
  Review NONE =
      new Review() {
        @Override
        public boolean isActive() {
          return false;
        }

        @Override
        public ObjectNode mutate(ObjectNode old, ObjectNode object) {
          return object;
        }

        @Override
        public void validate(ObjectNode old, ObjectNode object) {}
      };

  /**
   * Returns whether the review can reject or change a write. If it cannot, the server may hold the
   * store's lock during the write.
   */
  boolean isActive();

  /**
   * Returns the object with the review's changes. The server validates the returned object itself
   * before it calls {@link #validate}.
   *
   * @throws dev.windlass.testing.apiserver.embedded.objects.StatusException if the write is denied
   */
  ObjectNode mutate(ObjectNode old, ObjectNode object);

  /**
   * Validates the object that is about to be stored.
   *
   * @throws dev.windlass.testing.apiserver.embedded.objects.StatusException if the write is denied
   */
  void validate(ObjectNode old, ObjectNode object);
}
