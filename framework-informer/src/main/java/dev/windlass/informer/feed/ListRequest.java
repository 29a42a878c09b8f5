// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

/**
 * One page of a list. Without a resourceVersion, so the answer is consistent: it holds everything
 * that was written before the request.
 *
 * @param limit the most objects in the page; 0 for all
 * @param continueToken where the page starts, as the page before it said; empty for the first
 */
public record ListRequest(int limit, String continueToken) {}
