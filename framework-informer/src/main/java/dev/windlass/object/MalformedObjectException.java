// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * Thrown if the input does not represent a Kubernetes object: it is not valid JSON, or {@code
 * metadata.name} is missing.
 */
public final class MalformedObjectException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception. The message must not quote the input, which may be secret. */
  public MalformedObjectException(String message) {
    super(message);
  }
}
