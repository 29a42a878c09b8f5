// SPDX-License-Identifier: Apache-2.0
/**
 * An operator whose custom resource has two versions.
 *
 * <p>{@link dev.windlass.examples.versions.SiteVersions} converts Sites between v1 and v2. The
 * controller uses v2 only, and a storage migration rewrites Sites that are stored in v1.
 */
@NullMarked
package dev.windlass.examples.versions;

import org.jspecify.annotations.NullMarked;
