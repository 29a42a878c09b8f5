// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: collects the permissions that the components of a manager declare, and checks whether
 * the API server grants them.
 *
 * <p>{@link dev.windlass.manager.permissions.DeclaredPermissions} collects the declarations of
 * controllers, caches, elections and recorders. {@code Permissions.roles} converts them to roles.
 * {@link dev.windlass.manager.permissions.PermissionCheck} logs a warning for each missing
 * permission. The check neither delays nor stops other components. It runs on a separate thread.
 * Any thread can add declarations.
 */
@NullMarked
package dev.windlass.manager.permissions;

import org.jspecify.annotations.NullMarked;
