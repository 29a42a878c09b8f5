// SPDX-License-Identifier: Apache-2.0
/** Tests of what all test servers have in common. */
@NullMarked
package dev.windlass.testing.apiserver;

import org.jspecify.annotations.NullMarked;
