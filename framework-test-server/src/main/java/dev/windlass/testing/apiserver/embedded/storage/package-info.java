// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the store, which holds all objects under one lock and one counter of revisions, with
 * the log of the latest changes to each resource.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.storage;

import org.jspecify.annotations.NullMarked;
