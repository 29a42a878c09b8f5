// SPDX-License-Identifier: Apache-2.0
/**
 * The Hello operator: runs a Pod for each Hello, which prints "Hello" the requested number of
 * times, and reports the Pod's progress in the Hello's status. It exists in two variants, which
 * differ in how they detect that the Pod has finished: {@link dev.windlass.examples.hello.Variant}.
 */
@NullMarked
package dev.windlass.examples.hello;

import org.jspecify.annotations.NullMarked;
