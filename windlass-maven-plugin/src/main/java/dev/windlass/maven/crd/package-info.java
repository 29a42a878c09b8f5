// SPDX-License-Identifier: Apache-2.0
/** Finds the differences between two states of a CRD that break stored objects or clients. */
@NullMarked
package dev.windlass.maven.crd;

import org.jspecify.annotations.NullMarked;
