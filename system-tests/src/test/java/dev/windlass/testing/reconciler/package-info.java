// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code ReconcilerTest} and of the annotations that inject faults. */
@NullMarked
package dev.windlass.testing.reconciler;

import org.jspecify.annotations.NullMarked;
