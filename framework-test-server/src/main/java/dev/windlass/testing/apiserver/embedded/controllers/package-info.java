// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the controllers that react to changes: garbage collection, deletion of namespaces,
 * CRDs, and the status of Deployments.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.controllers;

import org.jspecify.annotations.NullMarked;
