// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;

/**
 * How an object is written.
 *
 * @param dryRun whether to check the object without storing it
 * @param owners records the owners of the fields
 * @param review reviews the object before it is stored
 */
public record WriteOptions(boolean dryRun, FieldOwnership owners, Review review) {

  /** The options of the server's own controllers. */
  public static final WriteOptions CONTROLLER =
      new WriteOptions(false, FieldOwnership.byUpdate(""), Review.NONE);

  /** Returns these options with another owner. */
  public WriteOptions withOwners(FieldOwnership other) {
    return new WriteOptions(dryRun, other, review);
  }

  /** Returns these options with another review. */
  public WriteOptions withReview(Review other) {
    return new WriteOptions(dryRun, owners, other);
  }

  /** Returns whether a write can call a webhook, and must therefore not hold the store's lock. */
  public boolean mustReleaseLock(ResourceType type) {
    return review.isActive() || type.convertsRemotely();
  }
}
