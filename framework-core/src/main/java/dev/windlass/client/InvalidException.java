// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * The object breaks the rules of its type (422); the message names fields. The same object will
 * never be accepted.
 */
public final class InvalidException extends ApiException {

  private static final long serialVersionUID = 1L;

  InvalidException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
