// SPDX-License-Identifier: Apache-2.0
/** The installation of CRDs, on the embedded and on a real API server. */
@NullMarked
package dev.windlass.testing.crd;

import org.jspecify.annotations.NullMarked;
