// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/** What {@link CreateOrUpdate} has written. */
public enum OperationResult {
  /** The object already was in the desired state: nothing was changed. */
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
