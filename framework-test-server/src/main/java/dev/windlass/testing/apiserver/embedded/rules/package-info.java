// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the rules that an object must satisfy: metadata, defaults, known fields, and fields
 * that an update cannot change.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.rules;

import org.jspecify.annotations.NullMarked;
