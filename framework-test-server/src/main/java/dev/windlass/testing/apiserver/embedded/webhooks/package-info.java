// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: calls webhooks over HTTPS, at a URL or at a Service of the simulated cluster. Each call
 * runs on the thread that handles the client's request. This thread must not hold the store's lock.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.webhooks;

import org.jspecify.annotations.NullMarked;
