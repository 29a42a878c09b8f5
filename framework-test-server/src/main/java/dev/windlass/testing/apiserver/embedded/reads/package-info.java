// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: list requests, with or without pagination, and watches, which read the log of changes
 * to a resource.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.reads;

import org.jspecify.annotations.NullMarked;
