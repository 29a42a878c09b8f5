// SPDX-License-Identifier: Apache-2.0
/**
 * An API server inside this process that behaves like kube-apiserver, with the controllers that
 * tests need: garbage collection, deletion of namespaces and CRDs, and Deployments that become
 * available.
 *
 * <p>{@code ApiHandler} handles each request. It parses the request into an {@code ApiRequest},
 * records it, applies injected faults, and passes it to {@code ObjectLists}, {@code WatchSession}
 * or {@code ObjectWrites}. These classes implement the rules of the API and share one {@code
 * Store}. For each change, a {@code Store.Transaction} assigns the next resourceVersion, appends
 * the change to the log of its resource and wakes the watches. Each watch reads the log from its
 * own position. Listeners such as {@code GarbageCollector} record the change under the lock and act
 * on the server's background thread.
 *
 * <p>An object in the store is never modified, only replaced. The resourceVersions of all resources
 * come from one counter. No thread writes to a socket while it holds the store's lock.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded;

import org.jspecify.annotations.NullMarked;
