// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for this project's own tests: {@code Proves} ties a test to the behaviours that it
 * proves, {@code Eventually} waits for other threads.
 */
@NullMarked
package dev.windlass.behaviour;

import org.jspecify.annotations.NullMarked;
