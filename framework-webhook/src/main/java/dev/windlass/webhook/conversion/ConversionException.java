// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

/**
 * Thrown by a function of a {@link Conversion} that cannot convert an object. The message is sent
 * to the client whose request requires the conversion, and is logged. It must therefore not quote
 * confidential values of the object. Of any other exception, only the class is revealed.
 */
public final class ConversionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the reason, such as {@code spec.address has no port}
   */
  public ConversionException(String message) {
    super(message);
  }
}
