// SPDX-License-Identifier: Apache-2.0
/**
 * What can go wrong between a program and its API server, said in one place.
 *
 * <p>In: the answer of the server, or the failure of the transport. Out: {@link
 * dev.windlass.trouble.Advice}, a sentence for a person that says what it means and what to do.
 * Invariant: the same cause has the same sentence, whoever met it. Nothing here decides anything:
 * programs act on codes and reasons, people on sentences. Threads: everything is immutable. Next:
 * {@link dev.windlass.informer.feed}.
 */
@NullMarked
package dev.windlass.trouble;

import org.jspecify.annotations.NullMarked;
