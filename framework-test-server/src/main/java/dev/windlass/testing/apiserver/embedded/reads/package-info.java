// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: lists, whole or in pages, and watches, which follow the log of changes to a resource.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.reads;

import org.jspecify.annotations.NullMarked;
