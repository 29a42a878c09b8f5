// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: label selectors and field selectors, and the objects that a list, a watch or a
 * deletecollection selects.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.selectors;

import org.jspecify.annotations.NullMarked;
