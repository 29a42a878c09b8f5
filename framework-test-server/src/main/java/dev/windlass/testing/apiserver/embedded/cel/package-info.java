// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: CEL expressions, which are used in validation rules of custom resources and in match
 * conditions of webhooks.
 *
 * <p>An optional dependency, {@code dev.cel:cel}, compiles and evaluates the expressions, without
 * the functions that Kubernetes adds. Other packages use {@code MatchConditions} and {@code
 * SchemaRules}. If the dependency is missing, these classes report a validation error for every
 * expression.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.cel;

import org.jspecify.annotations.NullMarked;
