// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/**
 * The outcome of {@link CreateOrUpdate} or {@link Owned#apply}.
 *
 * @param object the current version of the object on the server
 * @param result the kind of change that was made
 */
public record Operation<T>(T object, Result result) {

  /** Returns whether the object was created or changed. */
  public boolean isChange() {
    return result != Result.NONE;
  }

  /** The kind of write that was performed. */
  public enum Result {
    /**
     * The object was already in the desired state. An apply can still have changed the field
     * ownership in {@code managedFields}.
     */
    NONE,
    /** The object did not exist and was created. */
    CREATED,
    /** The object was changed, except for its status. */
    UPDATED,
    /** Both the status and other parts of the object were changed. */
    UPDATED_STATUS,
    /** Only the status was changed. */
    UPDATED_STATUS_ONLY
  }
}
