// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * The object has changed since it was read (409): a new attempt on its new state will do. See
 * {@link Conflicts#retry}.
 */
public final class ConflictException extends ApiException {

  private static final long serialVersionUID = 1L;

  ConflictException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
