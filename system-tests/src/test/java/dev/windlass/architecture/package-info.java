// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of the house as tests: which package may use which, where time comes from, how classes
 * look, how long the way of an event is, and what the public interface consists of. They stand in
 * this module because it is the one that sees all others.
 */
@NullMarked
package dev.windlass.architecture;

import org.jspecify.annotations.NullMarked;
