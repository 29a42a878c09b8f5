// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * Thrown if an object with the desired name exists, but the intended owner is not its controller,
 * because another program or user created the object. The object remains unchanged. Retries fail
 * until the object is deleted, or until {@link Owned#adopt} takes it over.
 */
public class NotControlledException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ObjectKey object;

  /**
   * Creates an exception with the given message. This constructor is public so that tests can
   * create the exception.
   *
   * @param object the object that the owner does not control
   * @param message the exception message
   */
  public NotControlledException(ObjectKey object, String message) {
    super(message);
    this.object = object;
  }

  /** Returns the object that the owner does not control. */
  public ObjectKey object() {
    return object;
  }
}
