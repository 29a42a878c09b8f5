// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the built-in and custom resource types that clients can address, and the discovery
 * documents that describe them.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.types;

import org.jspecify.annotations.NullMarked;
