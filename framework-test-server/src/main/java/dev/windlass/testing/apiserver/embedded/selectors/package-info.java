// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: label selectors and field selectors, which determine the objects that a list, watch or
 * deletecollection request selects.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.selectors;

import org.jspecify.annotations.NullMarked;
