// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of reconcilers without threads, sockets and delays. {@link
 * dev.windlass.testing.reconciler.ReconcilerTest} runs the real controller of a reconciler on
 * virtual time. The annotations run a test method again for each point at which a process can
 * crash, an event can be late, or an event can be lost.
 */
@NullMarked
package dev.windlass.testing.reconciler;

import org.jspecify.annotations.NullMarked;
