// SPDX-License-Identifier: Apache-2.0
/**
 * A client for unit tests of reconcilers: {@link dev.windlass.testing.client.FakeClient}.
 *
 * <p>The client records each call by a reconciler. If the test has configured an exception for the
 * call, the client throws this exception. Otherwise, it executes the call on objects in memory, and
 * applies the rules of the embedded API server. All code runs on the calling thread.
 */
@NullMarked
package dev.windlass.testing.client;

import org.jspecify.annotations.NullMarked;
