// SPDX-License-Identifier: Apache-2.0
/** The beans of a Quarkus application that contains the operator. */
@NullMarked
package dev.windlass.examples.frameworks.quarkus;

import org.jspecify.annotations.NullMarked;
