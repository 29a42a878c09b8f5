// SPDX-License-Identifier: Apache-2.0

/** Runs an operator once, so that its JVM can store what later starts need. */
@NullMarked
package dev.windlass.testing.training;

import org.jspecify.annotations.NullMarked;
