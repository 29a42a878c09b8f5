// SPDX-License-Identifier: Apache-2.0
/**
 * The timers of the embedded server. By default, the server's delays pass in real time. A test that
 * sets {@link dev.windlass.testing.apiserver.embedded.time.Timers} controls when these delays end.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.time;

import org.jspecify.annotations.NullMarked;
