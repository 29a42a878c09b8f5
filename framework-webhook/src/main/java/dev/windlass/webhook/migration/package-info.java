// SPDX-License-Identifier: Apache-2.0
/**
 * Storage migration: rewrites a custom resource's objects in the current storage version.
 *
 * <p>{@link dev.windlass.webhook.migration.StorageMigration} is a component of the leader. It reads
 * the custom resource's definition, and lists the metadata of the objects page by page. For each
 * object, it sends one request, which changes only the version in which the object is stored.
 * Finally, it updates the definition's {@code status.storedVersions}. A version is removed from
 * {@code storedVersions} only after every object has been rewritten. One thread runs the steps.
 */
@NullMarked
package dev.windlass.webhook.migration;

import org.jspecify.annotations.NullMarked;
