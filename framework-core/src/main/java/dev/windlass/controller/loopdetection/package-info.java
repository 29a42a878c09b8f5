// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: detects reconcile loops. In a loop, the runs of a request keep causing further runs.
 *
 * <p>{@link dev.windlass.controller.loopdetection.QueueReasons} stores the reasons why requests
 * wait in the queue. {@link dev.windlass.controller.loopdetection.LoopDetector} receives each run
 * with its reasons. It returns the time that a run must wait, and reports loops. It delays a
 * request only after it has proven a loop, and never drops a request. The code runs on the workers.
 * Next, read {@link dev.windlass.controller.logging}.
 */
@NullMarked
package dev.windlass.controller.loopdetection;

import org.jspecify.annotations.NullMarked;
