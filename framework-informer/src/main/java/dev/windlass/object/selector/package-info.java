// SPDX-License-Identifier: Apache-2.0
/**
 * Label and field selectors, with the API server's syntax and semantics. Read {@link
 * dev.windlass.object.selector.Selector} first.
 */
@NullMarked
package dev.windlass.object.selector;

import org.jspecify.annotations.NullMarked;
