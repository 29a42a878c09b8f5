// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the controllers that react to changes. They collect garbage, clean up namespaces and
 * CRDs that are being deleted, serve the resources of new CRDs, and report the status of
 * Deployments.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.controllers;

import org.jspecify.annotations.NullMarked;
