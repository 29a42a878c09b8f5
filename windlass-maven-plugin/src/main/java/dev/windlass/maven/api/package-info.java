// SPDX-License-Identifier: Apache-2.0
/** The sources of a further custom resource, made from the templates of the archetype. */
@NullMarked
package dev.windlass.maven.api;

import org.jspecify.annotations.NullMarked;
