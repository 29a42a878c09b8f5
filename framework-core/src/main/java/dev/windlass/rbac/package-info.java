// SPDX-License-Identifier: Apache-2.0
/**
 * Determines which permissions a program requires on the API server, based on the program's
 * declarations, and converts the permissions to Roles.
 *
 * <p>Controllers, informers, elections and recorders make declarations. {@code
 * Manager.permissions()} returns the resulting {@link dev.windlass.rbac.Permissions}. This package
 * does not depend on the components that make declarations, and does not send requests. Next, read
 * {@code dev.windlass.manager}, which checks at startup whether the program has the permissions.
 */
@NullMarked
package dev.windlass.rbac;

import org.jspecify.annotations.NullMarked;
