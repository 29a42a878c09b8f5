// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.Projection;

/**
 * One page of a list. Without a resourceVersion, so the answer is consistent: it holds everything
 * that was written before the request.
 *
 * @param limit the most objects in the page; 0 for all
 * @param continueToken where the page starts, as the page before it said; empty for the first
 * @param projection {@link Projection#METADATA} to be sent nothing else of each object
 */
public record ListRequest(int limit, String continueToken, Projection projection) {

  /** A page of whole objects. */
  public ListRequest(int limit, String continueToken) {
    this(limit, continueToken, Projection.STRIPPED);
  }
}
