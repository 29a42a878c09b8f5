// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: who sends a request, and whether this user may do so. Users are identified by bearer
 * tokens. With RBAC, the roles and bindings in the store determine their rights. The reviews of
 * access and of tokens, which clients create, are answered here.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.access;

import org.jspecify.annotations.NullMarked;
