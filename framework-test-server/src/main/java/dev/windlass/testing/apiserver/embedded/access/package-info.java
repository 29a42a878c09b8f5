// SPDX-License-Identifier: Apache-2.0
/** Internal: determines which user sends a request. */
@NullMarked
package dev.windlass.testing.apiserver.embedded.access;

import org.jspecify.annotations.NullMarked;
