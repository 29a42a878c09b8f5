// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 7, the reconcile: the code that users write.
 *
 * <p>A reconciler receives a {@link dev.windlass.controller.reconcile.Request}, which identifies an
 * object but does not describe an event. It returns a {@link
 * dev.windlass.controller.reconcile.Result} or throws an exception. Only one thread at a time
 * processes a request. The code runs on the controller's workers. The previous stage is the worker
 * in {@code dev.windlass.controller}. The request then returns to {@code dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.reconcile;

import org.jspecify.annotations.NullMarked;
