// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/** The verb of a request, as in the API server's audit log. */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Lists the objects of a resource. */
  LIST,
  /** Watches the objects of a resource. */
  WATCH,
  /** Creates an object: POST. */
  CREATE,
  /** Replaces an object: PUT. */
  UPDATE,
  /** Changes parts of an object: PATCH. */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes all objects that match the selectors. */
  DELETECOLLECTION;

  /** Reports whether the request can change something. */
  public boolean isWrite() {
    return compareTo(CREATE) >= 0;
  }
}
