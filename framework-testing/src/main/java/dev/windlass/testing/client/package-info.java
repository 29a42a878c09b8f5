// SPDX-License-Identifier: Apache-2.0
/**
 * A client for unit tests of reconcilers: {@link dev.windlass.testing.client.FakeClient}.
 *
 * <p>The client records each call by a reconciler. It throws the exception that the test has
 * configured for the call. Otherwise it returns a result from memory, under the rules of the
 * embedded API server. Everything runs on the calling thread.
 */
@NullMarked
package dev.windlass.testing.client;

import org.jspecify.annotations.NullMarked;
