// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;

/**
 * An object exists under the wanted name and is not controlled by the owner that wants it: somebody
 * else made it, and it is left as it is. Trying again does not help until it is gone, or until it
 * was taken over on purpose ({@link Owned#adopt}).
 */
public class NotControlledException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ObjectKey object;

  /**
   * Creates one; public for tests of code that handles it.
   *
   * @param object the one that is not the owner's
   */
  public NotControlledException(ObjectKey object, String message) {
    super(message);
    this.object = object;
  }

  /** The object that is not the owner's. */
  public ObjectKey object() {
    return object;
  }
}
