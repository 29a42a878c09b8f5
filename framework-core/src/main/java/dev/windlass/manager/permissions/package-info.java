// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the permissions that the components of a manager declare, and the check whether the API
 * server grants them.
 *
 * <p>In: declarations of controllers, caches, elections and recorders. Out: the permissions for a
 * role ({@link dev.windlass.manager.permissions.DeclaredPermissions}), and a warning for each one
 * that is missing ({@link dev.windlass.manager.permissions.PermissionCheck}). Invariant: the check
 * neither delays nor stops anything. Threads: the check has its own; declarations may come from
 * any.
 */
@NullMarked
package dev.windlass.manager.permissions;

import org.jspecify.annotations.NullMarked;
