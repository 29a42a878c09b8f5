// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 3, the index: the objects that exist, as far as this process knows.
 *
 * <p>In: states and deletions, from the delta applier. Out: reads by key, by namespace, by named
 * index and by label, alone or combined ({@link dev.windlass.informer.index.Query}), through {@link
 * dev.windlass.informer.index.Indexer} and, typed, through {@link
 * dev.windlass.informer.index.Lister}. Invariants: one state per key, the latest; an existing key
 * never vanishes from a read because it is being updated, and never goes back in time, whichever
 * way it is read. Threads: one writer (the applier), any number of readers, which never wait. An
 * {@link dev.windlass.informer.ownwrites.Overlay} shows the writes of this process before the watch
 * delivers them. Read first: {@code ConcurrentStore}, then {@code ObjectTable}. Previous: {@link
 * dev.windlass.informer.fifo}. Next: {@link dev.windlass.informer.notify}.
 */
@NullMarked
package dev.windlass.informer.index;

import org.jspecify.annotations.NullMarked;
