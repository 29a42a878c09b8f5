// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the patch formats whose result depends only on the object, its schema and the patch:
 * JSON patch, JSON merge patch and strategic merge patch.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.patch;

import org.jspecify.annotations.NullMarked;
