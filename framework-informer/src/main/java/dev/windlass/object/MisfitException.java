// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/** Thrown if JSON does not fit a class. The message does not quote values, which can be secret. */
public final class MisfitException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String path;

  MisfitException(String path) {
    super(path.isEmpty() ? "does not fit the class" : "does not fit the class at " + path);
    this.path = path;
  }

  /**
   * Returns the path of the value that does not fit, such as {@code spec.replicas}, or an empty
   * string if it is not known.
   */
  public String path() {
    return path;
  }
}
