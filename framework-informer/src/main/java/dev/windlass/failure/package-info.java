// SPDX-License-Identifier: Apache-2.0
/**
 * The failures between a program and its API server, explained in one place.
 *
 * <p>In: the response of the server, or the failure of the transport. Out: {@link
 * dev.windlass.failure.Advice}, one to three sentences that explain to a person what it means and
 * what to do. Invariant: the same cause has the same sentence, wherever it occurs. Nothing here
 * makes decisions: programs act on codes and reasons, people on sentences. Threads: everything is
 * immutable. Next: {@link dev.windlass.informer.feed}.
 */
@NullMarked
package dev.windlass.failure;

import org.jspecify.annotations.NullMarked;
