// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: stage 2, the delta FIFO, which keeps changes in order until the cache applies them.
 *
 * <p>In: changes and lists, from {@link dev.windlass.informer.feed.Reflector}. Out: {@link
 * dev.windlass.informer.fifo.Delta}s, taken in batches by the delta applier. Invariants: the
 * changes of one object never overtake each other; a list is one delta, applied as a whole; a
 * deletion is never merged into a state. While many changes wait, intermediate states and whole
 * objects that the consumer has never seen may be omitted, so memory is bounded by the number of
 * keys. Threads: one producer (the reflector), one consumer (the applier). Previous: {@link
 * dev.windlass.informer.feed}. Next: {@link dev.windlass.informer.index}.
 */
@NullMarked
package dev.windlass.informer.fifo;

import org.jspecify.annotations.NullMarked;
