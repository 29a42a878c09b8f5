// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * Thrown if an object already has another controller, since it can have only one. Two programs, or
 * two owners in one program, claim the same object; retrying does not help until one of them
 * releases it.
 */
public final class AlreadyOwnedException extends NotControlledException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; public for tests of code that handles it.
   *
   * @param object the object that the owner does not control
   */
  public AlreadyOwnedException(ObjectKey object, String message) {
    super(object, message);
  }
}
