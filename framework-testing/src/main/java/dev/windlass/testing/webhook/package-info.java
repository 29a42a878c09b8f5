// SPDX-License-Identifier: Apache-2.0
/**
 * Generated tests of conversions between the versions of a custom resource.
 *
 * <p>{@link dev.windlass.testing.webhook.RoundTrips} generates random objects of each version,
 * converts each object to another version and back, and reports fields that are lost.
 */
@NullMarked
package dev.windlass.testing.webhook;

import org.jspecify.annotations.NullMarked;
