// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: differences between two states of an object, and the JSON patches that turn one state
 * into the other. The package is exported only to framework-core, whose client sends these patches.
 */
@NullMarked
package dev.windlass.object.patch;

import org.jspecify.annotations.NullMarked;
