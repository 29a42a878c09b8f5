// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the processes of a real API server: their programs, command lines, ports and files,
 * their start, and their end even if the JVM is killed.
 */
@NullMarked
package dev.windlass.testing.apiserver.real.processes;

import org.jspecify.annotations.NullMarked;
