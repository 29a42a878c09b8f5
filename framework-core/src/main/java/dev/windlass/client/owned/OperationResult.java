// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/** What {@link CreateOrUpdate} had to do. */
public enum OperationResult {
  /** The object was as it is wanted: nothing was changed. */
  NONE,
  /** There was no such object; it was created. */
  CREATED,
  /** Something other than the status was changed. */
  UPDATED,
  /** The status was changed, and something else, too. */
  UPDATED_STATUS,
  /** Nothing but the status was changed. */
  UPDATED_STATUS_ONLY
}
