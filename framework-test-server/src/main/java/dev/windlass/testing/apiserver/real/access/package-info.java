// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the certificates of the server and its users, and the client configurations that
 * contain them.
 */
@NullMarked
package dev.windlass.testing.apiserver.real.access;

import org.jspecify.annotations.NullMarked;
