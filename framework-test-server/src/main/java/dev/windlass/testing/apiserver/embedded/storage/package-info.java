// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the store, which contains all objects and the latest changes to each resource. It has
 * one lock and one revision counter.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.storage;

import org.jspecify.annotations.NullMarked;
