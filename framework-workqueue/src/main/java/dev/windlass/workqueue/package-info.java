// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 6, the work queue: stores the keys that need work, and hands each to one worker at a time.
 *
 * <p>In: keys, from event handlers and from workers that want to retry. Out: {@link
 * dev.windlass.workqueue.WorkItem}s, each of which must be closed. Invariants: a key waits at most
 * once, is processed at most once at a time, and is never lost between the two. Threads: any number
 * of producers and workers; one lock, under which no user code runs. The package does not depend on
 * Kubernetes. Previous: {@code dev.windlass.controller.enqueue}. Next: {@code
 * dev.windlass.controller} (the worker).
 */
@NullMarked
package dev.windlass.workqueue;

import org.jspecify.annotations.NullMarked;
