// SPDX-License-Identifier: Apache-2.0
/**
 * Storage migration: rewrites a custom resource's objects in the current storage version.
 *
 * <p>{@link dev.windlass.webhook.migration.StorageMigration} is a component of the leader. Input:
 * the custom resource's definition, and its objects' metadata, page by page. Output: one request
 * per object, which changes only the version in which the object is stored, and finally the
 * definition's {@code status.storedVersions}. Invariant: a version is removed from {@code
 * storedVersions} only after every object has been rewritten. One thread runs the steps.
 */
@NullMarked
package dev.windlass.webhook.migration;

import org.jspecify.annotations.NullMarked;
