// SPDX-License-Identifier: Apache-2.0
/**
 * An operator that runs inside another framework and labels ConfigMaps. The subpackages show how
 * Spring Boot and Quarkus start and stop the operator, and how their health endpoints report its
 * state.
 */
@NullMarked
package dev.windlass.examples.frameworks;

import org.jspecify.annotations.NullMarked;
