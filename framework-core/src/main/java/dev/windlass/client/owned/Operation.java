// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

/**
 * The outcome of {@link CreateOrUpdate} or {@link Owned#apply}.
 *
 * @param object as the server has it now
 * @param result what was written
 */
public record Operation<T>(T object, OperationResult result) {

  /** Returns whether anything was written. */
  public boolean isChange() {
    return result != OperationResult.NONE;
  }
}
