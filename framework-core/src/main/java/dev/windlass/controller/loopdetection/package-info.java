// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: detects reconcile loops, that is, requests whose runs keep causing further runs.
 *
 * <p>{@link dev.windlass.controller.loopdetection.QueueReasons} keeps the reasons why requests wait
 * in the queue. {@link dev.windlass.controller.loopdetection.LoopDetector} receives each run with
 * its reasons. It returns the time that a run must wait, and reports loops. The detector limits
 * only a proven loop, and it never loses a request. The code runs on the workers. Next, read {@link
 * dev.windlass.controller.logging}.
 */
@NullMarked
package dev.windlass.controller.loopdetection;

import org.jspecify.annotations.NullMarked;
