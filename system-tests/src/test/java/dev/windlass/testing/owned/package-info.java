// SPDX-License-Identifier: Apache-2.0
/** What reconcilers do to their objects, on API servers. */
@NullMarked
package dev.windlass.testing.owned;

import org.jspecify.annotations.NullMarked;
