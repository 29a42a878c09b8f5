// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reviews a write before it is stored, as admission webhooks do. Objects are in the request's
 * version. An empty object represents an object that does not exist: the old state of a create, or
 * the new state of a delete.
 *
 * <p>The server does not hold the store's lock while it calls {@link #mutate} and {@link #validate}
 * of an {@linkplain #isActive() active} review. If another request changes the object after the
 * server has read it and before the reviewed write is stored, the server reads the object again and
 * calls both methods again.
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
   * Returns whether the review can have an effect. If it cannot, the server need not release the
   * store's lock for the review.
   */
  boolean isActive();

  /**
   * Returns the object with the changes that the review makes. The server validates the result
   * itself before it calls {@link #validate}.
   *
   * @throws dev.windlass.testing.apiserver.embedded.objects.StatusException if the write is denied
   */
  ObjectNode mutate(ObjectNode old, ObjectNode object);

  /**
   * Checks the object in the state that is about to be stored.
   *
   * @throws dev.windlass.testing.apiserver.embedded.objects.StatusException if the write is denied
   */
  void validate(ObjectNode old, ObjectNode object);
}
