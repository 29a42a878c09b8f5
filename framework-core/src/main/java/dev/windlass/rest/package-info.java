// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: requests to the API server for the client, elections and reviews. Informers do not use
 * this package for their lists and watches.
 *
 * <p>{@link dev.windlass.rest.ApiRequest} describes an operation on a resource as an HTTP method, a
 * path and a body. {@link dev.windlass.rest.JsonHttpClient} sends requests over the connections of
 * a fabric8 client. Calls run on the caller's threads; transport threads complete the returned
 * futures.
 */
@NullMarked
package dev.windlass.rest;

import org.jspecify.annotations.NullMarked;
