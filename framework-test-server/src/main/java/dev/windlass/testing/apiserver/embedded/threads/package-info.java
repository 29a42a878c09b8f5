// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the threads of the server and their timers. The server waits until all of them have
 * terminated when it is closed.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.threads;

import org.jspecify.annotations.NullMarked;
