// SPDX-License-Identifier: Apache-2.0
/**
 * The requests that the embedded server has received, and the matchers that select the requests
 * that fail.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.requests;

import org.jspecify.annotations.NullMarked;
