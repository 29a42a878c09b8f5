// SPDX-License-Identifier: Apache-2.0
/**
 * Which rights a program needs on the API server, found out from what it says it does: as Roles to
 * print and apply, and checked at start against the rights that it has.
 *
 * <p>In comes what controllers, informers, elections and recorders declare; out go {@link
 * dev.windlass.rbac.Permissions}. Nothing here knows who declares, nor talks to the server, but for
 * {@link dev.windlass.rbac.SelfCheck}, which runs on a thread of its own.
 */
@NullMarked
package dev.windlass.rbac;

import org.jspecify.annotations.NullMarked;
