// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * Thrown if an object exists under the desired name and is not controlled by the owner that wants
 * it: another party created it, and it is left as it is. Retrying does not help until the object is
 * gone, or has been taken over deliberately ({@link Owned#adopt}).
 */
public class NotControlledException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ObjectKey object;

  /**
   * Creates an exception; public for tests of code that handles it.
   *
   * @param object the object that the owner does not control
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
