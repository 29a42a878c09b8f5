// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the server's threads and timers. When the server is closed, it waits up to 5 s for each
 * of these threads to terminate.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.threads;

import org.jspecify.annotations.NullMarked;
