// SPDX-License-Identifier: Apache-2.0
/**
 * An API server for tests that has no network: {@link dev.windlass.testing.feed.FakeListerWatcher}.
 */
@NullMarked
package dev.windlass.testing.feed;

import org.jspecify.annotations.NullMarked;
