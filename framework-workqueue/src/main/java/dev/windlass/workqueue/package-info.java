// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 6, the work queue, which stores the keys to process and passes each key to one worker at a
 * time.
 *
 * <p>The queue receives keys from event handlers and from workers that retry. It returns {@link
 * dev.windlass.workqueue.WorkItem}s, each of which must be closed. A key waits at most once, is
 * processed by at most one worker at a time, and is never lost in between. Any number of threads
 * can add and process keys. There is one lock, under which user code never runs. The package does
 * not depend on Kubernetes.
 *
 * <p>Previous: {@code dev.windlass.controller.enqueue}. Next: {@code dev.windlass.controller} (the
 * worker).
 */
@NullMarked
package dev.windlass.workqueue;

import org.jspecify.annotations.NullMarked;
