// SPDX-License-Identifier: Apache-2.0
/**
 * Unit tests of reconcilers without a controller: {@link dev.windlass.testing.client.FakeClient}
 * creates clients for objects in memory, and {@link dev.windlass.testing.client.FakeContext} is the
 * context of a reconcile.
 */
@NullMarked
package dev.windlass.testing.client;

import org.jspecify.annotations.NullMarked;
