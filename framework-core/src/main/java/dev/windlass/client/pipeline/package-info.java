// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the one path of all requests to a cluster. {@link
 * dev.windlass.client.pipeline.Pipeline} states its steps and their order. Start there.
 *
 * <p>The rule for the program's own writes is: once the caller of a write has its response, no read
 * from a cache returns anything older. {@link dev.windlass.client.pipeline.OwnWrites} passes each
 * response to the overlays of the caches before the caller receives it. What a response does not
 * show for certain is not known, and what is not known is read from the server; only an object
 * whose creation has not been confirmed has no name to ask for. {@link
 * dev.windlass.client.pipeline.ReconcileWrites} reports writes to the reconcile that performs them,
 * so that their own events do not start it again.
 *
 * <p>Who writes is a {@link dev.windlass.client.pipeline.WriterContext}. It is determined once,
 * when a request enters the pipeline.
 */
@NullMarked
package dev.windlass.client.pipeline;

import org.jspecify.annotations.NullMarked;
