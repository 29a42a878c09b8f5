// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: requests to the API server other than lists and watches of informers, for the client,
 * elections and reviews.
 *
 * <p>In: an operation on a resource. Out: the HTTP request ({@link dev.windlass.rest.ApiRequest}),
 * sent over the connections of a fabric8 client ({@link dev.windlass.rest.JsonHttpClient}).
 * Threads: the caller's; transport threads complete responses.
 */
@NullMarked
package dev.windlass.rest;

import org.jspecify.annotations.NullMarked;
