// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs the processes of a real API server. The package chooses their ports, writes their
 * files and builds their command lines. It kills the processes even if the JVM is killed.
 */
@NullMarked
package dev.windlass.testing.apiserver.real.processes;

import org.jspecify.annotations.NullMarked;
