// SPDX-License-Identifier: Apache-2.0
/** The beans of an application of Quarkus that contains the operator. */
@NullMarked
package dev.windlass.examples.frameworks.quarkus;

import org.jspecify.annotations.NullMarked;
