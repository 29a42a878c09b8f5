// SPDX-License-Identifier: Apache-2.0
/** The goals of the Maven plugin. */
@NullMarked
package dev.windlass.maven;

import org.jspecify.annotations.NullMarked;
