// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the rules for the objects that clients write. They concern metadata, defaults, unknown
 * fields, the values of built-in kinds, and fields that an update cannot change.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.rules;

import org.jspecify.annotations.NullMarked;
