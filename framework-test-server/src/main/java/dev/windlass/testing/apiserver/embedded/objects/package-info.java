// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: objects as JSON trees, with their metadata and keys, the checks of their fields, and
 * the exception that rejects a request.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.objects;

import org.jspecify.annotations.NullMarked;
