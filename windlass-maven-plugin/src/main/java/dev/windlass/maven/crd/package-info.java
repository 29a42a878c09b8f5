// SPDX-License-Identifier: Apache-2.0
/**
 * Compares two releases of a CRD to find changes that break stored objects or clients, and
 * completes generated CRDs.
 */
@NullMarked
package dev.windlass.maven.crd;

import org.jspecify.annotations.NullMarked;
