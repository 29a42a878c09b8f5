// SPDX-License-Identifier: Apache-2.0
/** The beans of a Spring Boot application that contains the operator. */
@NullMarked
package dev.windlass.examples.frameworks.spring;

import org.jspecify.annotations.NullMarked;
