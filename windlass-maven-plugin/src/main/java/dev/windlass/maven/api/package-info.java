// SPDX-License-Identifier: Apache-2.0
/** Creates the sources of an additional custom resource from the templates of the archetype. */
@NullMarked
package dev.windlass.maven.api;

import org.jspecify.annotations.NullMarked;
