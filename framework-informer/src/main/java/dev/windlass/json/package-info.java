// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: limits of the JSON library for data from other programs.
 *
 * <p>{@link dev.windlass.json.JsonLimits} creates the parsers of lists, objects and reviews.
 */
@NullMarked
package dev.windlass.json;

import org.jspecify.annotations.NullMarked;
