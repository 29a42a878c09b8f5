// SPDX-License-Identifier: Apache-2.0
/**
 * A client for unit tests of reconcilers: {@link dev.windlass.testing.client.FakeClient}.
 *
 * <p>In: the calls of a reconciler, each of which is recorded. Out: the failure that the test has
 * configured for the call, or otherwise a result from memory, under the rules of the embedded API
 * server. Threads: the calling thread.
 */
@NullMarked
package dev.windlass.testing.client;

import org.jspecify.annotations.NullMarked;
