// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the connection of a manager to its own cluster.
 *
 * <p>{@link dev.windlass.manager.connection.ConnectionResources} creates a client and meters from a
 * builder's settings. {@link dev.windlass.manager.connection.Connection} adds the caches, and
 * creates clients that read from them, with or without a fence around their writes. Creating a
 * connection does not send requests. All resources are closed when the manager has stopped. The
 * thread that builds the manager creates the connection; any thread can use the clients.
 */
@NullMarked
package dev.windlass.manager.connection;

import org.jspecify.annotations.NullMarked;
