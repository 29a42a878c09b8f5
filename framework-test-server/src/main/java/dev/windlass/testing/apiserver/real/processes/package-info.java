// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: starts the processes of a real API server with their command lines, ports and files,
 * and ends the processes even if the JVM is killed.
 */
@NullMarked
package dev.windlass.testing.apiserver.real.processes;

import org.jspecify.annotations.NullMarked;
