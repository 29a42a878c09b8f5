// SPDX-License-Identifier: Apache-2.0

/** Runs an operator once, so that its JVM can store the classes and the code for later starts. */
@NullMarked
package dev.windlass.testing.aot;

import org.jspecify.annotations.NullMarked;
