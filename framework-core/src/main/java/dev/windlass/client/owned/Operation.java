// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/**
 * The outcome of {@link CreateOrUpdate} or {@link Owned#apply}.
 *
 * @param object the current state of the object on the server
 * @param result what was written
 */
public record Operation<T>(T object, Result result) {

  /** Returns whether anything was written. */
  public boolean isChange() {
    return result != Result.NONE;
  }

  /** What was written. */
  public enum Result {
    /** The object already was in the desired state, and nothing was changed. */
    NONE,
    /** The object did not exist and was created. */
    CREATED,
    /** Something other than the status was changed. */
    UPDATED,
    /** The status and something else were changed. */
    UPDATED_STATUS,
    /** Only the status was changed. */
    UPDATED_STATUS_ONLY
  }
}
