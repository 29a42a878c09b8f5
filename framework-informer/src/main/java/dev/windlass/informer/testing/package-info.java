// SPDX-License-Identifier: Apache-2.0
/** A fake for tests: {@link dev.windlass.informer.testing.FakeListerWatcher}. */
@NullMarked
package dev.windlass.informer.testing;

import org.jspecify.annotations.NullMarked;
