// SPDX-License-Identifier: Apache-2.0
/**
 * The Services of the simulated cluster, which the server calls as webhooks. Tests set a {@code
 * ServiceResolver}, because nothing routes the cluster IP of a Service to a process of the test.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.services;

import org.jspecify.annotations.NullMarked;
