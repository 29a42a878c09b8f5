// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/** An operation for which the API server can call a webhook. */
public enum Operation {
  /** An object is created. */
  CREATE,
  /** A request changes an object, by any kind of update, patch or apply. */
  UPDATE,
  /** An object is deleted. */
  DELETE,
  /** A request opens a connection to an object, such as {@code pods/exec}. */
  CONNECT
}
