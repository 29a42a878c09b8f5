// SPDX-License-Identifier: Apache-2.0
/**
 * Tests reconcilers without threads, sockets or delays. {@link
 * dev.windlass.testing.reconciler.ReconcilerTest} runs a reconciler in virtual time, with a real
 * controller. The annotations repeat a test method with injected faults: a crash after each write,
 * and a delay or loss of each watch event.
 */
@NullMarked
package dev.windlass.testing.reconciler;

import org.jspecify.annotations.NullMarked;
