// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: finds differences between two versions of an object, and creates the JSON patches that
 * turn one version into the other. It also merges changes to a typed object into the JSON from
 * which the object was decoded, and converts values to the form in which the server stores them, so
 * that they can be compared. The package is exported only to framework-core, whose client sends
 * these changes, and to framework-webhook.
 */
@NullMarked
package dev.windlass.object.patch;

import org.jspecify.annotations.NullMarked;
