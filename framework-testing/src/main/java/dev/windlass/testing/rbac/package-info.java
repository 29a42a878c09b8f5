// SPDX-License-Identifier: Apache-2.0
/**
 * Holds what a program declares to do on the API server against what it does in a test.
 *
 * <p>{@link dev.windlass.testing.rbac.UsedPermissions} stands in a client and notes the right that
 * each request takes; nothing is stopped or changed.
 */
@NullMarked
package dev.windlass.testing.rbac;

import org.jspecify.annotations.NullMarked;
