// SPDX-License-Identifier: Apache-2.0
/**
 * Explains failures in the communication between a program and its API server.
 *
 * <p>The package turns an error response or a transport failure into {@link
 * dev.windlass.failure.FailureAdvice}. The advice consists of one to three sentences that explain
 * the failure and its remedy to an operator. The text depends only on the cause and the required
 * permission. It is intended for people. Programs should make decisions based on status codes and
 * reasons. All objects are immutable and can be used by any thread.
 *
 * <p>After this package, read {@link dev.windlass.informer.reflector}.
 */
@NullMarked
package dev.windlass.failure;

import org.jspecify.annotations.NullMarked;
