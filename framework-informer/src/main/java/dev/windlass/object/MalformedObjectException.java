// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * Thrown if bytes are not the JSON of a Kubernetes object, because they are not JSON or because
 * {@code metadata.name} is missing.
 */
public final class MalformedObjectException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception. The message must not quote the bytes, which may be secret. */
  public MalformedObjectException(String message) {
    super(message);
  }
}
