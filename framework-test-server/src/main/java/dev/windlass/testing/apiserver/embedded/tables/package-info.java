// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: tables, the form in which {@code kubectl get} requests objects. Custom resources have
 * the columns of their definition, and some built-in types have those of the real server.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.tables;

import org.jspecify.annotations.NullMarked;
