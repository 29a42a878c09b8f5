// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: objects as JSON trees, their metadata and their keys, and the exceptions that reject a
 * request.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.objects;

import org.jspecify.annotations.NullMarked;
