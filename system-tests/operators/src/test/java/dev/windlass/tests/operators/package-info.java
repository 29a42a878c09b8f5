// SPDX-License-Identifier: Apache-2.0
/**
 * The operators of the examples on a real API server with its controller manager: a whole life of a
 * Foo, what they install, and their images.
 */
@NullMarked
package dev.windlass.tests.operators;

import org.jspecify.annotations.NullMarked;
