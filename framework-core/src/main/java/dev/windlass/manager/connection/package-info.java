// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the connection of a manager to its own cluster.
 *
 * <p>In: the settings of a builder, which {@link dev.windlass.manager.connection.OpenedResources}
 * turns into a client and meters. Out: the caches, and clients that read from them ({@link
 * dev.windlass.manager.connection.Connection}), with or without a fence around their writes.
 * Invariant: nothing is sent before the caches start, and nothing stays open after the manager.
 * Threads: the one that builds the manager; clients may be used by any.
 */
@NullMarked
package dev.windlass.manager.connection;

import org.jspecify.annotations.NullMarked;
