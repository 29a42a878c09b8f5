// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 7, the reconcile: the code that users write.
 *
 * <p>In: a {@link dev.windlass.controller.reconcile.Request}, which names an object but does not
 * describe what happened to it. Out: a {@link dev.windlass.controller.reconcile.Result}, or an
 * exception. Invariant: only one thread at a time processes a request. Threads: the controller's
 * workers. Previous: {@code dev.windlass.controller} (the worker). Next: back to {@code
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.reconcile;

import org.jspecify.annotations.NullMarked;
