// SPDX-License-Identifier: Apache-2.0
/**
 * The Services of the simulated cluster, which the server calls as webhooks. A test sets a {@code
 * ServiceResolver}, because the test process is not reachable at the cluster IP of a Service.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.services;

import org.jspecify.annotations.NullMarked;
