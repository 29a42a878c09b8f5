// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * An object already has a controller, and an object can have only one. Two programs, or two of the
 * owners of one program, want the same object; trying again does not help until one gives way.
 */
public final class AlreadyOwnedException extends NotControlledException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one; public for tests of code that handles it.
   *
   * @param object the one that is not the owner's
   */
  public AlreadyOwnedException(ObjectKey object, String message) {
    super(object, message);
  }
}
