// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the small HTTP server for probes, metrics and diagnosis.
 *
 * <p>Kubelets, Prometheus and people send requests, and pages return short texts. Each client
 * occupies one of a few threads for a few seconds at most. Each endpoint has its own threads, so
 * that an operator still receives answers while all other threads are busy. See {@code
 * dev.windlass.health} next.
 */
@NullMarked
package dev.windlass.http;

import org.jspecify.annotations.NullMarked;
