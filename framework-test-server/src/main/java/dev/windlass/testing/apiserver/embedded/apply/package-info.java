// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: server-side apply, which merges a configuration into an object and reports conflicts
 * with other field managers.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.apply;

import org.jspecify.annotations.NullMarked;
