// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * Thrown if an object already has another controller. An object can have only one controller. This
 * exception therefore means that two owners, possibly from different programs, claim the same
 * object. Retries fail until one of the owners releases it.
 */
public final class AlreadyOwnedException extends NotControlledException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the given message. This constructor is public so that tests can
   * create the exception.
   *
   * @param object the object that the owner does not control
   * @param message the exception message
   */
  public AlreadyOwnedException(ObjectKey object, String message) {
    super(object, message);
  }
}
