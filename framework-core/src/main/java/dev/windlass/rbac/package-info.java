// SPDX-License-Identifier: Apache-2.0
/**
 * Derives the permissions that a program needs on the API server from its declarations, and prints
 * them as Roles to apply: {@code Manager.rbac()}.
 *
 * <p>In: the declarations of controllers, informers, elections and recorders. Out: {@link
 * dev.windlass.rbac.Permissions}. The package does not depend on the components that make
 * declarations, and sends no requests. Next: {@code dev.windlass.manager}, which checks at start
 * whether the program has the permissions.
 */
@NullMarked
package dev.windlass.rbac;

import org.jspecify.annotations.NullMarked;
