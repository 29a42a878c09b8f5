// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/**
 * What {@link CreateOrUpdate} or {@link Owned#apply} did.
 *
 * @param object as the server has it now
 * @param result what was written
 */
public record Operation<T>(T object, OperationResult result) {

  /** Whether anything was written. */
  public boolean isChange() {
    return result != OperationResult.NONE;
  }
}
