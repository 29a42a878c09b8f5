// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the small HTTP server behind probes, metrics and diagnosis.
 *
 * <p>In: requests from kubelets, Prometheus and people. Out: short texts produced by pages.
 * Invariant: each client occupies one of a few threads for a few seconds at most. Threads: each
 * endpoint has its own, so an operator still answers while all its other threads are busy. Next:
 * {@code dev.windlass.health}.
 */
@NullMarked
package dev.windlass.http;

import org.jspecify.annotations.NullMarked;
