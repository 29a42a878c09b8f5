// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

/**
 * The capabilities of a {@link TestApiServer}. If the server lacks a capability, a test should
 * expect a different result rather than be skipped.
 *
 * @param garbageCollection whether the server deletes objects whose owners no longer exist
 * @param deploymentController whether the server reports Deployments as available; if false, tests
 *     must write the status of Deployments themselves
 * @param schemaValidation whether the server returns 422 for a custom resource that violates the
 *     schema of its CRD
 * @param resumableWatches whether a watch delivers all changes after the resourceVersion in its
 *     request. If false, changes between a list and a watch are lost, and informers need {@code
 *     MockApiServer.connector}
 * @param mergePatch whether the server applies JSON merge patches according to RFC 7386
 */
public record ServerCapabilities(
    boolean garbageCollection,
    boolean deploymentController,
    boolean schemaValidation,
    boolean resumableWatches,
    boolean mergePatch) {}
