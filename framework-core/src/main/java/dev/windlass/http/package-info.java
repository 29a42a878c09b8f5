// SPDX-License-Identifier: Apache-2.0
/**
 * The small HTTP server behind probes, metrics and diagnosis.
 *
 * <p>In: requests of kubelets, Prometheus and people. Out: short texts that pages make. Invariant:
 * whatever a client does, it costs one of a few threads for a few seconds at most. Threads: some of
 * each endpoint's own, so that an operator whose other threads are all busy still answers. Read on:
 * {@code dev.windlass.health}.
 */
@NullMarked
package dev.windlass.http;

import org.jspecify.annotations.NullMarked;
