// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/**
 * The outcome of {@link CreateOrUpdate} or {@link Owned#apply}.
 *
 * @param object the current state of the object on the server
 * @param result the kind of write
 */
public record Operation<T>(T object, Result result) {

  /** Returns whether the object was written. */
  public boolean isChange() {
    return result != Result.NONE;
  }

  /** The kind of write. */
  public enum Result {
    /** The object was already in the desired state, so it was not changed. */
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
