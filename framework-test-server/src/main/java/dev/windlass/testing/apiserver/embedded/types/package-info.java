// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the built-in and custom resource types that clients can address, the discovery
 * documents that describe them, and the schemas and defaults of the built-in ones, generated from a
 * real server.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.types;

import org.jspecify.annotations.NullMarked;
