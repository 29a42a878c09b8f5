// SPDX-License-Identifier: Apache-2.0
/**
 * Conversion between the versions of a custom resource.
 *
 * <p>A program declares one {@link dev.windlass.webhook.conversion.Conversion} per kind: the class
 * of one version is the <i>hub</i>, and each other version, a <i>spoke</i>, has two functions that
 * convert it to the hub and back. The API server calls the program whenever a client uses a version
 * other than the stored one. A function that cannot convert an object throws a {@link
 * dev.windlass.webhook.conversion.ConversionException}.
 */
@NullMarked
package dev.windlass.webhook.conversion;

import org.jspecify.annotations.NullMarked;
