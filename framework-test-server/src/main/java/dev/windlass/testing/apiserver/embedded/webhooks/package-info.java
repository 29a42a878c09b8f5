// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: calls webhooks over HTTPS, at a URL or at a Service of the simulated cluster. A call
 * runs on the request's thread, which must not hold the store's lock.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.webhooks;

import org.jspecify.annotations.NullMarked;
