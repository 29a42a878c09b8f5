// SPDX-License-Identifier: Apache-2.0
/**
 * The manager: starts and stops everything that a program built with Windlass consists of.
 *
 * <p>In: components, most of them controllers. Out: a process that runs until it is told to stop.
 * Invariants: components start phase by phase and stop in reverse, under one deadline; the first
 * one that fails to start stops the rest. Threads: the caller's. Read next: {@link
 * dev.windlass.manager.Manager}.
 */
@NullMarked
package dev.windlass.manager;

import org.jspecify.annotations.NullMarked;
