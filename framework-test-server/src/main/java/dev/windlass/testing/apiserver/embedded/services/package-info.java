// SPDX-License-Identifier: Apache-2.0
/**
 * The simulated cluster's Services, which the server calls as webhooks. Tests set a {@code
 * ServiceResolver}, because a Service's cluster IP does not lead to the test process.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.services;

import org.jspecify.annotations.NullMarked;
