// SPDX-License-Identifier: Apache-2.0
/**
 * Label and field selectors, which have the syntax and the semantics of the API server. Read {@link
 * dev.windlass.object.selector.Selector} first.
 */
@NullMarked
package dev.windlass.object.selector;

import org.jspecify.annotations.NullMarked;
