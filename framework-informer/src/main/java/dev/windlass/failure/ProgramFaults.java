// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

/** Distinguishes faults in the program from failures that can also occur in a correct program. */
public final class ProgramFaults {

  private ProgramFaults() {}

  /**
   * Returns whether an exception indicates a fault in the program, as a panic does in Go: an {@link
   * Error}, or an exception that the JVM throws where Go panics, for example for a null reference,
   * an index out of bounds or a division by zero. Exceptions that code throws on purpose, such as
   * {@link IllegalArgumentException} for the input of a user, are errors.
   */
  public static boolean isPanic(Throwable thrown) {
    return thrown instanceof Error
        || thrown instanceof NullPointerException
        || thrown instanceof ClassCastException
        || thrown instanceof IndexOutOfBoundsException
        || thrown instanceof ArithmeticException
        || thrown instanceof NegativeArraySizeException;
  }
}
