// SPDX-License-Identifier: Apache-2.0
/**
 * Explains the failures between a program and its API server.
 *
 * <p>In: the response of the server, or the failure of the transport. Out: {@link
 * dev.windlass.failure.Advice}, one to three sentences that explain the failure and its remedy to
 * an operator. Invariant: the same cause always has the same sentence. The sentences are for
 * people; programs make decisions based on codes and reasons. Threads: everything is immutable.
 * Next: {@link dev.windlass.informer.feed}.
 */
@NullMarked
package dev.windlass.failure;

import org.jspecify.annotations.NullMarked;
