// SPDX-License-Identifier: Apache-2.0
/** Bare HTTP clients, which show the tests of the embedded server exactly what it sends. */
@NullMarked
package dev.windlass.testing.apiserver.embedded.probes;

import org.jspecify.annotations.NullMarked;
