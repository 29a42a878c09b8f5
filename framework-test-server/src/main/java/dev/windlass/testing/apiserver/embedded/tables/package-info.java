// SPDX-License-Identifier: Apache-2.0
/** Internal: tables, the form in which {@code kubectl get} requests objects. */
@NullMarked
package dev.windlass.testing.apiserver.embedded.tables;

import org.jspecify.annotations.NullMarked;
