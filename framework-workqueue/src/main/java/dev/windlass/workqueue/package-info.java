// SPDX-License-Identifier: Apache-2.0
/**
 * The work queue, which stores the keys to process and passes each key to one worker at a time. The
 * work queue is stage 6 of the path of an event from the API server to the reconciler ({@code
 * docs/architecture.md}).
 *
 * <p>Event handlers add keys to the queue, and workers add keys again to retry them. A worker takes
 * a {@link dev.windlass.workqueue.WorkItem} from the queue, and must close it. A key is in the
 * queue at most once, and at most one worker at a time processes it. The queue does not lose a key
 * before a worker has taken it, unless the queue is shut down or its owner drops the key. Any
 * number of threads can add and process keys. The queue has one lock, and does not hold it while
 * user code runs. The package does not depend on Kubernetes.
 *
 * <p>The previous stage is {@code dev.windlass.controller.enqueue}. The next stage is the worker in
 * {@code dev.windlass.controller.running}.
 */
@NullMarked
package dev.windlass.workqueue;

import org.jspecify.annotations.NullMarked;
