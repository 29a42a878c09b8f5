// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the delta FIFO, which keeps changes in order until the cache applies them. The delta
 * FIFO is stage 2 of the path of an event from the API server to the reconciler ({@code
 * docs/architecture.md}).
 *
 * <p>The queue receives changes and lists from {@link dev.windlass.informer.reflector.Reflector}.
 * The delta applier takes {@link dev.windlass.informer.fifo.Delta}s from the queue in batches.
 * Changes to one object are never reordered. A list is a single delta. A deletion is never merged
 * into an addition or update. While many changes are pending, the queue can omit intermediate
 * versions of an object, and objects that the consumer has never received. Its memory is therefore
 * limited by the number of keys. There is one producer (the reflector) and one consumer (the
 * applier).
 *
 * <p>The previous stage is {@link dev.windlass.informer.reflector}, and the next stage is {@link
 * dev.windlass.informer.index}.
 */
@NullMarked
package dev.windlass.informer.fifo;

import org.jspecify.annotations.NullMarked;
