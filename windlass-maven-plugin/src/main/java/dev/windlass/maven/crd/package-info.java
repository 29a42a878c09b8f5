// SPDX-License-Identifier: Apache-2.0
/**
 * Compares two states of a CRD to find changes that break stored objects or clients, and completes
 * generated CRDs.
 */
@NullMarked
package dev.windlass.maven.crd;

import org.jspecify.annotations.NullMarked;
