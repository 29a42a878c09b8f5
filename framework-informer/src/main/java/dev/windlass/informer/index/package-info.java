// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 3, the index: the objects that are known to exist.
 *
 * <p>In: states and deletions, from the delta applier. Out: reads by key, by namespace, by named
 * index and by label, alone or combined ({@link dev.windlass.informer.index.Query}), through {@link
 * dev.windlass.informer.index.Indexer} and, typed, through {@link
 * dev.windlass.informer.index.Lister}. Invariants: one state per key, the latest; an existing key
 * is never missing from a read during an update, and no kind of read returns an older state than an
 * earlier read. Threads: one writer (the applier), any number of readers, which never wait. An
 * {@link dev.windlass.informer.ownwrites.Overlay} shows the writes of this process before the watch
 * delivers them. Read first: {@code ConcurrentStore}, then {@code ObjectTable}. Previous: {@link
 * dev.windlass.informer.fifo}. Next: {@link dev.windlass.informer.notify}.
 */
@NullMarked
package dev.windlass.informer.index;

import org.jspecify.annotations.NullMarked;
