// SPDX-License-Identifier: Apache-2.0
/**
 * The index, which contains the objects that are known to exist. The index is stage 3 of the path
 * of an event from the API server to the reconciler ({@code docs/architecture.md}).
 *
 * <p>The delta applier writes states and deletions to the index. {@link
 * dev.windlass.informer.index.Indexer} reads objects by key, by namespace, by named index and by
 * label, alone or combined ({@link dev.windlass.informer.index.Query}). {@link
 * dev.windlass.informer.index.Lister} returns typed objects. The index contains one state for each
 * key, the latest. An existing key is never missing from a read during an update, and a read never
 * returns an older state than an earlier read of any kind. There is one writer (the applier). Any
 * number of threads can read, and readers never wait. An {@link
 * dev.windlass.informer.ownwrites.Overlay} presents this process's writes before the watch delivers
 * them.
 *
 * <p>Read {@code ConcurrentStore} first, and then {@code ObjectTable}. The previous stage is {@code
 * dev.windlass.informer.fifo}, and the next stage is {@link dev.windlass.informer.notify}.
 */
@NullMarked
package dev.windlass.informer.index;

import org.jspecify.annotations.NullMarked;
