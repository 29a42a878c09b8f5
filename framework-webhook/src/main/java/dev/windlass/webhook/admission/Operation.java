// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/** An operation that the API server asks a webhook to admit. */
public enum Operation {
  /** An object is created. */
  CREATE,
  /** An object is changed, by any kind of update, patch or apply. */
  UPDATE,
  /** An object is deleted. */
  DELETE,
  /** A connection to an object is opened, such as {@code pods/exec}. */
  CONNECT
}
