// SPDX-License-Identifier: Apache-2.0
/** A program that copies ConfigMaps, using only the informer and the work queue of Windlass. */
@NullMarked
package dev.windlass.examples.informer;

import org.jspecify.annotations.NullMarked;
