// SPDX-License-Identifier: Apache-2.0
/**
 * Compares the permissions that a program declares with those that it uses in a test.
 *
 * <p>{@link dev.windlass.testing.rbac.UsedPermissions} intercepts a client's requests and records
 * the permission that each request requires. It does not block or change requests.
 */
@NullMarked
package dev.windlass.testing.rbac;

import org.jspecify.annotations.NullMarked;
