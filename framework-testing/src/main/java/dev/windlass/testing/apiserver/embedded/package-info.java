// SPDX-License-Identifier: Apache-2.0
/**
 * An API server inside this process that behaves like kube-apiserver, with the controllers that a
 * test cannot do without: garbage collection, namespace and CRD deletion, available Deployments.
 *
 * <p>The way of a request: {@code ApiHandler} parses it into an {@code ApiRequest}, counts it, lets
 * the faults answer, and hands it to {@code ObjectLists}, {@code WatchSession} or {@code Writes};
 * those know the rules of the API and share one {@code Store}. The way of a change: a {@code
 * Store.Transaction} gives it the next resourceVersion, appends it to the log of its resource and
 * wakes the watches, which read the log with a cursor of their own; listeners such as {@code
 * GarbageCollector} take note under the lock and act on the server's background thread.
 *
 * <p>Invariants: an object in the store is never modified, only replaced; resourceVersions of all
 * resources come from one counter; nobody writes to a socket while holding the store's lock.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded;

import org.jspecify.annotations.NullMarked;
