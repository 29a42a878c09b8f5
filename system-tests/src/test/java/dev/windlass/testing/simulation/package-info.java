// SPDX-License-Identifier: Apache-2.0
/**
 * Random schedules of a whole operator: two replicas, a user, and everything that can go wrong. The
 * promises of ARCHITECTURE are checked while a schedule runs and at its end.
 */
@NullMarked
package dev.windlass.testing.simulation;

import org.jspecify.annotations.NullMarked;
