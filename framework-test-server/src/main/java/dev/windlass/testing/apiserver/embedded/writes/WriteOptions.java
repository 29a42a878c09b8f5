// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;

/**
 * The options of a write.
 *
 * @param dryRun whether to check the object without storing it
 * @param owners the function that records the owners of the changed fields in {@code managedFields}
 * @param review the review of the object before it is stored
 */
public record WriteOptions(boolean dryRun, FieldOwnership owners, Review review) {

  /** The options of the server's own controllers. */
  public static final WriteOptions CONTROLLER =
      new WriteOptions(false, FieldOwnership.byUpdate(""), Review.NONE);

  /** Returns a copy of these options with the given field ownership. */
  public WriteOptions withOwners(FieldOwnership other) {
    return new WriteOptions(dryRun, other, review);
  }

  /** Returns a copy of these options with the given review. */
  public WriteOptions withReview(Review other) {
    return new WriteOptions(dryRun, owners, other);
  }

  /**
   * Returns whether writing an object of this type can call a webhook. If so, the caller must
   * release the store's lock before the call.
   */
  public boolean mustReleaseLock(ResourceType type) {
    return review.isActive() || type.convertsRemotely();
  }
}
