// SPDX-License-Identifier: Apache-2.0
/** What the feed demands of an HTTP transport, shown for each one that fabric8 offers. */
@NullMarked
package dev.windlass.testing.transport;

import org.jspecify.annotations.NullMarked;
