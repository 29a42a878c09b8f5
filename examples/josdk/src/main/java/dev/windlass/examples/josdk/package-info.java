// SPDX-License-Identifier: Apache-2.0
/** An operator that is built with the Java Operator SDK and does not use Windlass. */
@NullMarked
package dev.windlass.examples.josdk;

import org.jspecify.annotations.NullMarked;
