// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/** An operation for which the API server can call a webhook. */
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
