// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

/**
 * Thrown by a function of a {@link Conversion} if an object cannot be converted. The program logs
 * the message and returns it to the API server. The API server sends the message to the client
 * whose request requires the conversion. The message must therefore not contain confidential values
 * from the object. For any other exception, the program returns only the name of the exception
 * class.
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
