// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: determines which user sends a request, and whether this user may send it. Users are
 * identified by bearer tokens. With RBAC, the roles and bindings in the store determine the users'
 * permissions. The package also responds to the access reviews and token reviews that clients
 * create.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.access;

import org.jspecify.annotations.NullMarked;
