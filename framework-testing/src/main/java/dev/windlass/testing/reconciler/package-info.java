// SPDX-License-Identifier: Apache-2.0
/**
 * Tests reconcilers without threads, sockets or delays. {@link
 * dev.windlass.testing.reconciler.ReconcilerTest} runs a reconciler's real controller in virtual
 * time. The annotations run a test method again for each point at which a process can crash, an
 * event can be delayed, or an event can be lost.
 */
@NullMarked
package dev.windlass.testing.reconciler;

import org.jspecify.annotations.NullMarked;
