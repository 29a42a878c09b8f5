// SPDX-License-Identifier: Apache-2.0
/** A program that copies ConfigMaps with the informer and the work queue of Windlass alone. */
@NullMarked
package dev.windlass.examples.informer;

import org.jspecify.annotations.NullMarked;
