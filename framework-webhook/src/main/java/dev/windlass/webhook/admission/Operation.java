// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/** An operation for which the API server can call a webhook. */
public enum Operation {
  /** An object is created. */
  CREATE,
  /** An object is updated, patched or applied. */
  UPDATE,
  /** An object is deleted. */
  DELETE,
  /** A client connects to an object, for example through {@code pods/exec}. */
  CONNECT
}
