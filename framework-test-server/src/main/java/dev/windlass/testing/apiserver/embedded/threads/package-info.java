// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the server's threads and their timers. When the server is closed, it waits until all of
 * these threads have terminated.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.threads;

import org.jspecify.annotations.NullMarked;
