// SPDX-License-Identifier: Apache-2.0
/** Installing an operator in a cluster: its CRDs. */
@NullMarked
package dev.windlass.tests.install;

import org.jspecify.annotations.NullMarked;
