// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: stage 2, the delta FIFO, which keeps changes in order until the cache applies them.
 *
 * <p>The queue receives changes and lists from {@link dev.windlass.informer.reflector.Reflector}.
 * The delta applier takes {@link dev.windlass.informer.fifo.Delta}s from it in batches. Changes to
 * one object are never reordered, a list is one delta that is applied as a whole, and a deletion is
 * never merged into a state. While many changes wait, intermediate states and objects that the
 * consumer has never received can be omitted, so memory is limited by the number of keys. There is
 * one producer (the reflector) and one consumer (the applier).
 *
 * <p>Previous: {@link dev.windlass.informer.reflector}. Next: {@link dev.windlass.informer.index}.
 */
@NullMarked
package dev.windlass.informer.fifo;

import org.jspecify.annotations.NullMarked;
