// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the connection of a manager to its own cluster.
 *
 * <p>{@link dev.windlass.manager.connection.ConnectionResources} creates a client and meters from a
 * builder's settings. {@link dev.windlass.manager.connection.Connection} adds the caches. It also
 * creates clients that read from the caches. A fence can guard the writes of such a client.
 * Creating a connection does not send requests. The manager closes all resources after it has
 * stopped. The connection is created on the thread that builds the manager. Its clients can be used
 * by any thread.
 */
@NullMarked
package dev.windlass.manager.connection;

import org.jspecify.annotations.NullMarked;
