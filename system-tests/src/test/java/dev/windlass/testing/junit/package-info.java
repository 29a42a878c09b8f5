// SPDX-License-Identifier: Apache-2.0
/** Tests of the published package of this name. */
@NullMarked
package dev.windlass.testing.junit;

import org.jspecify.annotations.NullMarked;
