// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 7, the reconcile: what a user writes.
 *
 * <p>In: a {@link dev.windlass.controller.reconcile.Request}, which names an object and says
 * nothing of what happened to it. Out: a {@link dev.windlass.controller.reconcile.Result}, or an
 * exception. Invariant: a request is worked on by one thread at a time. Threads: the controller's
 * workers. Previous: {@code dev.windlass.controller} (the worker). Next: back to {@code
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.reconcile;

import org.jspecify.annotations.NullMarked;
