// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: sends requests to the API server for the client, elections and reviews. The lists and
 * watches of informers do not use this package.
 *
 * <p>{@link dev.windlass.rest.ApiRequest} describes an operation on a resource as an HTTP method, a
 * path and a body. {@link dev.windlass.rest.JsonHttpClient} sends requests over the connections of
 * a fabric8 client. The code runs on the caller's threads. Transport threads complete the returned
 * futures.
 */
@NullMarked
package dev.windlass.rest;

import org.jspecify.annotations.NullMarked;
