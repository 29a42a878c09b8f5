// SPDX-License-Identifier: Apache-2.0
/**
 * Whether the program works, for kubelets and people.
 *
 * <p>In: checks of the manager's parts and of the program's own. Out: {@code /healthz}, {@code
 * /livez}, {@code /readyz}, and lines in the log when a check changes its mind. Invariant: a check
 * that throws or hangs is red, and harms no other. Threads: each check that runs has one, of a pool
 * that belongs to health alone; they are asked by the threads of the endpoint and by the monitor.
 * Read on: {@code dev.windlass.diagnosis}.
 */
@NullMarked
package dev.windlass.health;

import org.jspecify.annotations.NullMarked;
