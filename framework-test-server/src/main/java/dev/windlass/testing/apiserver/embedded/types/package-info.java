// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the resource types that clients can address, both built-in types and CRD types, and the
 * discovery documents that describe them.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.types;

import org.jspecify.annotations.NullMarked;
