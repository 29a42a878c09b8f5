// SPDX-License-Identifier: Apache-2.0
/**
 * Tests conversions between the versions of a custom resource with generated objects.
 *
 * <p>{@link dev.windlass.testing.webhook.RoundTrips} generates random objects of each version,
 * converts each object to another version and back, and reports fields that are lost or changed.
 */
@NullMarked
package dev.windlass.testing.webhook;

import org.jspecify.annotations.NullMarked;
