// SPDX-License-Identifier: Apache-2.0
/**
 * A program that copies ConfigMaps with an informer of the fabric8 client. It does not use
 * Windlass.
 */
@NullMarked
package dev.windlass.examples.plainfabric8;

import org.jspecify.annotations.NullMarked;
