// SPDX-License-Identifier: Apache-2.0
/**
 * Storage migration: rewrites a custom resource's objects in the current storage version.
 *
 * <p>{@link dev.windlass.webhook.migration.StorageMigration} is a component that runs only on the
 * leader. It reads the custom resource's definition, and lists the metadata of the objects. For
 * each object, it sends one patch, which changes only the version in which the object is stored.
 * After every object has been rewritten, the migration removes the old versions from the
 * definition's {@code status.storedVersions}. One thread runs the migration.
 */
@NullMarked
package dev.windlass.webhook.migration;

import org.jspecify.annotations.NullMarked;
