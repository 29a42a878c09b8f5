// SPDX-License-Identifier: Apache-2.0
/**
 * The smallest operator that does something: what the README begins with. {@link
 * dev.windlass.examples.quickstart.Greeting} is what it works on.
 */
@NullMarked
package dev.windlass.examples.quickstart;

import org.jspecify.annotations.NullMarked;
