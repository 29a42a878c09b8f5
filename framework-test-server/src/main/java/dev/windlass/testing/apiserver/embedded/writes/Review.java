// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reviews a write before it is stored, as admission webhooks do. Objects are in the request's
 * version, and an empty object represents one that does not exist: the old state of a create, or
 * the new state of a delete. The methods are called without the store's lock, again for each
 * attempt if another write occurs in between.
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

  /** Returns whether the review can have an effect. Otherwise, writes need not release the lock. */
  boolean isActive();

  /**
   * Returns the object with the changes of the reviewers, before it is validated.
   *
   * @throws dev.windlass.testing.apiserver.embedded.objects.StatusException if the write is denied
   */
  ObjectNode mutate(ObjectNode old, ObjectNode object);

  /**
   * Checks the object as it is about to be stored.
   *
   * @throws dev.windlass.testing.apiserver.embedded.objects.StatusException if the write is denied
   */
  void validate(ObjectNode old, ObjectNode object);
}
