// SPDX-License-Identifier: Apache-2.0
/**
 * The index, which contains the objects that are known to exist. The index is stage 3 of the path
 * of an event from the API server to the reconciler ({@code docs/architecture.md}).
 *
 * <p>The delta applier stores and removes objects. {@link dev.windlass.informer.index.Indexer}
 * reads objects by key, by namespace, by named index and by label. A {@link
 * dev.windlass.informer.index.Query} can combine these. {@link dev.windlass.informer.index.Lister}
 * returns typed objects. The index contains the latest received version of each object. A read
 * never misses an existing key while the object is being updated. It never returns an older version
 * than an earlier read. There is one writer (the applier). Any number of threads can read, and
 * reads never block. An {@link dev.windlass.informer.ownwrites.Overlay} presents this process's
 * writes before the watch delivers them.
 *
 * <p>Read {@code ConcurrentStore} first, and then {@code ObjectTable}. The previous stage is {@code
 * dev.windlass.informer.fifo}, and the next stage is {@link dev.windlass.informer.notify}.
 */
@NullMarked
package dev.windlass.informer.index;

import org.jspecify.annotations.NullMarked;
