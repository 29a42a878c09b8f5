// SPDX-License-Identifier: Apache-2.0
/**
 * The Hello operator. For each Hello, it runs a Pod that prints "Hello" the requested number of
 * times, and reports the Pod's progress in the Hello's status. The operator has two variants, which
 * differ in how they detect that the Pod has finished; see {@link
 * dev.windlass.examples.hello.Variant}.
 */
@NullMarked
package dev.windlass.examples.hello;

import org.jspecify.annotations.NullMarked;
