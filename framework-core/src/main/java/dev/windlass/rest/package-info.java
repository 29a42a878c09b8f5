// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: requests to the API server for the client, elections and reviews. Informers send their
 * lists and watches separately.
 *
 * <p>{@link dev.windlass.rest.ApiRequest} converts an operation on a resource to an HTTP request.
 * {@link dev.windlass.rest.JsonHttpClient} sends it over the connections of a fabric8 client. Calls
 * run on the caller's threads; transport threads complete the returned futures.
 */
@NullMarked
package dev.windlass.rest;

import org.jspecify.annotations.NullMarked;
