// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the controllers of the embedded server. They collect garbage, delete the contents of
 * namespaces and CRDs that are being deleted, serve the resources of new CRDs, and set the status
 * of Deployments.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.controllers;

import org.jspecify.annotations.NullMarked;
