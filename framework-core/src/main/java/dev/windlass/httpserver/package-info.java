// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the small HTTP server for probes, metrics and diagnosis.
 *
 * <p>Kubelets, Prometheus and operators send requests, and pages return short responses. Each
 * request occupies a thread for at most 15 s. Each endpoint has its own threads, and therefore
 * responds even if all other threads of the process are busy. Next, read {@code
 * dev.windlass.health}.
 */
@NullMarked
package dev.windlass.httpserver;

import org.jspecify.annotations.NullMarked;
