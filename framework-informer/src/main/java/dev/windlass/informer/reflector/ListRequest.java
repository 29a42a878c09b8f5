// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.Projection;

/**
 * A request for one page of a list. The request does not specify a resource version, so the list
 * reflects all writes that preceded the request.
 *
 * @param limit the maximum number of objects in the page; 0 for all objects
 * @param continueToken the token that was returned with the previous page; empty for the first page
 * @param projection the part of each object to return; {@link Projection#METADATA} returns only the
 *     metadata
 */
public record ListRequest(int limit, String continueToken, Projection projection) {

  /** Creates a request for a page of whole objects. */
  public ListRequest(int limit, String continueToken) {
    this(limit, continueToken, Projection.STRIPPED);
  }
}
