// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

/**
 * What a {@link TestApiServer} can do. A missing capability changes what a test expects; it never
 * skips the test.
 *
 * @param garbageCollection objects whose owners are gone get deleted by the server's side
 * @param deploymentController a Deployment becomes available by itself; where this is false, the
 *     test writes the Deployment's status
 * @param schemaValidation a custom resource that breaks its CRD's schema is refused with 422
 * @param resumableWatches a watch starts after the resourceVersion that it names, so that nothing
 *     is lost between a list and a watch; where this is false, the informers need {@code
 *     MockApiServer.connector}
 * @param mergePatch JSON merge patches follow RFC 7386
 */
public record ServerCapabilities(
    boolean garbageCollection,
    boolean deploymentController,
    boolean schemaValidation,
    boolean resumableWatches,
    boolean mergePatch) {}
