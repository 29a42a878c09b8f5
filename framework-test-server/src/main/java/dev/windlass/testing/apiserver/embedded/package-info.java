// SPDX-License-Identifier: Apache-2.0
/**
 * An API server that runs in the test's process and behaves like kube-apiserver. It includes the
 * controllers that tests need: garbage collection, deletion of namespaces and CRDs, and the status
 * of Deployments.
 *
 * <p>Requests arrive through {@code ApiHandler} (HTTP) or {@code InMemoryTransport}. {@code
 * ApiRequests} parses each request into an {@code ApiRequest}, records it, applies injected faults,
 * and passes it to {@code WatchSession} or {@code ObjectRequests}, which calls {@code ObjectLists},
 * {@code ObjectWrites}, {@code ObjectDeletes} or {@code ServerSideApply}. These classes implement
 * the rules of the API and share one {@code Store}. For each change, a {@code Store.Transaction}
 * assigns the next resourceVersion, appends the change to the log of its resource and wakes the
 * watches. Each watch reads the log from its own position. Listeners such as {@code
 * GarbageCollector} record the change under the lock and act on the server's background thread, or
 * on the test's {@code Timers}.
 *
 * <p>The subpackages form layers. A package depends only on packages in the lines above its own:
 *
 * <ul>
 *   <li>{@code objects}, {@code requests}, {@code services}, {@code time};
 *   <li>{@code types}, {@code threads};
 *   <li>{@code storage};
 *   <li>{@code webhooks}, {@code cel}, {@code access};
 *   <li>{@code http}, {@code schema}, {@code patch};
 *   <li>{@code selectors}, {@code ownership}, {@code conversion};
 *   <li>{@code rules};
 *   <li>{@code reads}, {@code writes};
 *   <li>{@code apply}, {@code controllers}, {@code admission}.
 * </ul>
 *
 * <p>Objects in the store are never modified, only replaced. All resources share one counter for
 * resourceVersions. Threads never write to a socket while they hold the store's lock. If a webhook
 * must review or convert an object, the write reads the object, releases the lock and calls the
 * webhook. It stores the result only if no other write has changed the object in the meantime;
 * otherwise, it starts again.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded;

import org.jspecify.annotations.NullMarked;
