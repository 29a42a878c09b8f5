// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: CEL expressions, which serve as custom resources' validation rules and as webhooks'
 * match conditions. {@code dev.cel:cel}, an optional dependency, compiles and evaluates them with
 * Kubernetes's function libraries. Only the class {@code CelEnvironment} and the classes that it
 * uses refer to this dependency.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.cel;

import org.jspecify.annotations.NullMarked;
