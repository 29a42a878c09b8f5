// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/** What a request wants, in the words of the API server's audit log. */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Reads the objects of a resource. */
  LIST,
  /** Follows the objects of a resource. */
  WATCH,
  /** Creates an object: POST. */
  CREATE,
  /** Replaces an object: PUT. */
  UPDATE,
  /** Changes parts of an object: PATCH. */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes the objects that selectors match. */
  DELETECOLLECTION;

  /** Whether the request can change something. */
  public boolean isWrite() {
    return compareTo(CREATE) >= 0;
  }
}
