// SPDX-License-Identifier: Apache-2.0
/**
 * The requests that the embedded server has received, and the matchers that select the requests to
 * which an injected fault applies.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.requests;

import org.jspecify.annotations.NullMarked;
