// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: detects reconcile loops. In a loop, the runs of a request keep causing further runs.
 *
 * <p>{@link dev.windlass.controller.loopdetection.LoopDetector} receives each run with its reasons
 * and the request's {@link dev.windlass.controller.loopdetection.RunHistory}, and reports loops. It
 * never delays or drops a request. The code runs on the workers. Next, read {@link
 * dev.windlass.controller.logging}.
 */
@NullMarked
package dev.windlass.controller.loopdetection;

import org.jspecify.annotations.NullMarked;
