// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for this project's own tests: {@code Eventually} waits for other threads, {@code Logs}
 * keeps what a class logs.
 */
@NullMarked
package dev.windlass.testsupport;

import org.jspecify.annotations.NullMarked;
