// SPDX-License-Identifier: Apache-2.0
/**
 * The work queue, which stores the keys to process and passes each key to one worker at a time. The
 * work queue is stage 6 of the path of an event from the API server to the reconciler ({@code
 * docs/architecture.md}).
 *
 * <p>The queue receives keys from event handlers and from workers that retry. It returns {@link
 * dev.windlass.workqueue.WorkItem}s, each of which the worker must close. A key waits at most once,
 * at most one worker at a time processes it, and the queue never loses a key before a worker has
 * taken it, except when the queue is shut down. Any number of threads can add and process keys.
 * There is one lock, under which user code never runs. The package does not depend on Kubernetes.
 *
 * <p>The previous stage is {@code dev.windlass.controller.enqueue}. The next stage is the worker in
 * {@code dev.windlass.controller}.
 */
@NullMarked
package dev.windlass.workqueue;

import org.jspecify.annotations.NullMarked;
