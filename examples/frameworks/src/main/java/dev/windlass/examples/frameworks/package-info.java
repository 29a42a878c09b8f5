// SPDX-License-Identifier: Apache-2.0
/**
 * An operator that runs inside another framework. It labels ConfigMaps; the packages below show how
 * Spring Boot and Quarkus start and stop it, and how their health endpoints report on it.
 */
@NullMarked
package dev.windlass.examples.frameworks;

import org.jspecify.annotations.NullMarked;
