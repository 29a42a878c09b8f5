// SPDX-License-Identifier: Apache-2.0
/**
 * The smallest useful operator, which the README shows. It reconciles {@link
 * dev.windlass.examples.quickstart.Greeting}.
 */
@NullMarked
package dev.windlass.examples.quickstart;

import org.jspecify.annotations.NullMarked;
