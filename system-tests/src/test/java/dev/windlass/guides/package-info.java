// SPDX-License-Identifier: Apache-2.0
/**
 * The code in {@code docs/guides}: what stands between {@code // sample: name} and {@code // end}
 * is shown there, word by word ({@code GuideSamplesTest}), and the tests here run it.
 */
@NullMarked
package dev.windlass.guides;

import org.jspecify.annotations.NullMarked;
