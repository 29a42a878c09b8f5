// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: CEL expressions, which are the validation rules of custom resources and the match
 * conditions of webhooks. They are compiled and evaluated by {@code dev.cel:cel}, an optional
 * dependency, with the function libraries of Kubernetes. Only the class {@code CelEnvironment} and
 * the classes that it uses refer to this dependency.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.cel;

import org.jspecify.annotations.NullMarked;
