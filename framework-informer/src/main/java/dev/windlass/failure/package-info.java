// SPDX-License-Identifier: Apache-2.0
/**
 * Explains failures in the communication between a program and its API server.
 *
 * <p>The package turns a server response or a transport failure into {@link
 * dev.windlass.failure.FailureAdvice}: one to three sentences that explain the failure and its
 * remedy to an operator. For the same cause and permission, the explanation is always the same.
 * Explanations are intended for people; programs base their decisions on codes and reasons. All
 * data is immutable and can be used by any thread.
 *
 * <p>After this package, read {@link dev.windlass.informer.reflector}.
 */
@NullMarked
package dev.windlass.failure;

import org.jspecify.annotations.NullMarked;
