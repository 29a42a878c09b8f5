// SPDX-License-Identifier: Apache-2.0
/** An operator on the Java Operator SDK. It does not use Windlass. */
@NullMarked
package dev.windlass.examples.josdk;

import org.jspecify.annotations.NullMarked;
