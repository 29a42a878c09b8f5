// SPDX-License-Identifier: Apache-2.0
/**
 * Creates the source files of an additional custom resource from the templates of the archetype.
 */
@NullMarked
package dev.windlass.maven.api;

import org.jspecify.annotations.NullMarked;
