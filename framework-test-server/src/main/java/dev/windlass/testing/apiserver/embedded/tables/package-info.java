// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: tables, the form in which {@code kubectl get} requests objects. The CRD specifies the
 * columns of a custom resource. For some built-in types, the columns are those of the real server.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.tables;

import org.jspecify.annotations.NullMarked;
