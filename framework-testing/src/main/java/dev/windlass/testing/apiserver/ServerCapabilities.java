// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

/**
 * What a {@link TestApiServer} can do. A missing capability changes what a test expects; it never
 * skips the test.
 *
 * @param garbageCollection whether the server's side deletes objects whose owners are gone
 * @param deploymentController whether a Deployment becomes available by itself; if not, the test
 *     writes the Deployment's status
 * @param schemaValidation whether a custom resource that violates its CRD's schema is rejected with
 *     422
 * @param resumableWatches whether a watch starts after the resourceVersion that it names, so that
 *     nothing is lost between a list and a watch; if not, the informers need {@code
 *     MockApiServer.connector}
 * @param mergePatch whether JSON merge patches follow RFC 7386
 */
public record ServerCapabilities(
    boolean garbageCollection,
    boolean deploymentController,
    boolean schemaValidation,
    boolean resumableWatches,
    boolean mergePatch) {}
