// SPDX-License-Identifier: Apache-2.0
/**
 * Derives the permissions that a program needs on the API server from what it declares, prints them
 * as Roles to apply, and checks at start whether the program has them.
 *
 * <p>In: the declarations of controllers, informers, elections and recorders. Out: {@link
 * dev.windlass.rbac.Permissions}. The package does not depend on the components that declare, and
 * sends no requests, except for {@link dev.windlass.rbac.SelfCheck}, which runs on a separate
 * thread.
 */
@NullMarked
package dev.windlass.rbac;

import org.jspecify.annotations.NullMarked;
