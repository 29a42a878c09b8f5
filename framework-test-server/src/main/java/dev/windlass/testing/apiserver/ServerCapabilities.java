// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

/**
 * The capabilities of a {@link TestApiServer}. If the server lacks a capability, do not skip the
 * test; instead, have it expect a different result.
 *
 * @param garbageCollection whether the server deletes objects when their owners no longer exist
 * @param deploymentController whether the server reports a Deployment as available; if not, the
 *     test writes the Deployment's status
 * @param schemaValidation whether the server rejects a custom resource that violates its CRD's
 *     schema with 422
 * @param resumableWatches whether a watch delivers all changes after the resourceVersion in its
 *     request, so that no change is lost between a list and a watch; if not, informers need {@code
 *     MockApiServer.connector}
 * @param mergePatch whether JSON merge patches follow RFC 7386
 */
public record ServerCapabilities(
    boolean garbageCollection,
    boolean deploymentController,
    boolean schemaValidation,
    boolean resumableWatches,
    boolean mergePatch) {}
