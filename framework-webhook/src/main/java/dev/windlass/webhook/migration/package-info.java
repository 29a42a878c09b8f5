// SPDX-License-Identifier: Apache-2.0
/**
 * Storage migration: rewrites the objects of a custom resource in its current storage version.
 *
 * <p>{@link dev.windlass.webhook.migration.StorageMigration} is a component of the leader. Input:
 * the definition of the custom resource, and the metadata of its objects, page by page. Output: one
 * request per object, which changes only the version in which the object is stored, and finally the
 * definition's {@code status.storedVersions}. Invariant: a version leaves {@code storedVersions}
 * only after every object has been rewritten. One thread runs the steps.
 */
@NullMarked
package dev.windlass.webhook.migration;

import org.jspecify.annotations.NullMarked;
