// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: creates, updates and deletes objects according to the rules of the API, for clients and
 * for the server's own controllers.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.writes;

import org.jspecify.annotations.NullMarked;
