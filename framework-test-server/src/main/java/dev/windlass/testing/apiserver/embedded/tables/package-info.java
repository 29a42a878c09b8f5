// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: tables, the form in which {@code kubectl get} requests objects. Custom resources have
 * the columns that their CRD specifies, and some built-in types have the real server's columns.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.tables;

import org.jspecify.annotations.NullMarked;
