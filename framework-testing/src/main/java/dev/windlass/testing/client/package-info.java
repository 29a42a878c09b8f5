// SPDX-License-Identifier: Apache-2.0
/**
 * A client for unit tests of reconcilers: {@link dev.windlass.testing.client.FakeClient}.
 *
 * <p>In come the calls of a reconciler; each is recorded, may be failed by an order of the test,
 * and is else answered from memory by the rules of the embedded API server. Everything happens in
 * the calling thread.
 */
@NullMarked
package dev.windlass.testing.client;

import org.jspecify.annotations.NullMarked;
