// SPDX-License-Identifier: Apache-2.0
/**
 * The test kit and the test servers: fake client, {@code ReconcilerTest}, fault annotations, fault
 * proxy.
 */
@NullMarked
package dev.windlass.tests.kit;

import org.jspecify.annotations.NullMarked;
