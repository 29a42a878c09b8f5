// SPDX-License-Identifier: Apache-2.0
/** Tests of the embedded API server, most of them through HTTP. */
@NullMarked
package dev.windlass.testing.apiserver.embedded;

import org.jspecify.annotations.NullMarked;
