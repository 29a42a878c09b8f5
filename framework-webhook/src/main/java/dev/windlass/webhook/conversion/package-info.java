// SPDX-License-Identifier: Apache-2.0
/**
 * Conversion between the versions of a custom resource.
 *
 * <p>A program declares one {@link dev.windlass.webhook.conversion.Conversion} for each kind. One
 * version is the <i>hub</i>. Each of the other versions, the <i>spokes</i>, has two functions that
 * convert it to the hub and back. The API server calls the program when a client uses a version
 * other than the storage version. A function that cannot convert an object throws a {@link
 * dev.windlass.webhook.conversion.ConversionException}.
 */
@NullMarked
package dev.windlass.webhook.conversion;

import org.jspecify.annotations.NullMarked;
