// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.requests;

/** The verb of a request, as in the API server's audit log. */
public enum Verb {
  /** A GET request that reads one object. */
  GET,
  /** A GET request that lists the objects of a resource. */
  LIST,
  /** A GET request that watches the objects of a resource. */
  WATCH,
  /** A POST request that creates an object. */
  CREATE,
  /** A PUT request that replaces an object. */
  UPDATE,
  /** A PATCH request that changes parts of an object. */
  PATCH,
  /** A DELETE request that deletes one object. */
  DELETE,
  /** A DELETE request that deletes all objects that match the selectors. */
  DELETECOLLECTION;

  /** Returns whether a request with this verb can change objects. */
  public boolean isWrite() {
    return compareTo(CREATE) >= 0;
  }
}
