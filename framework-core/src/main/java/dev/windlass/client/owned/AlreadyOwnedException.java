// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * Thrown if an object already has another controller. An object can have only one controller, so
 * two programs, or two owners in one program, claim the same object. A retry does not help until
 * one of them releases the object.
 */
public final class AlreadyOwnedException extends NotControlledException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception. This constructor is public for tests of code that handles the exception.
   *
   * @param object the object that the owner does not control
   */
  public AlreadyOwnedException(ObjectKey object, String message) {
    super(object, message);
  }
}
