// SPDX-License-Identifier: Apache-2.0
/** Compares the embedded API server with a real one by random operations. */
@NullMarked
package dev.windlass.testing.apiserver.comparison;

import org.jspecify.annotations.NullMarked;
