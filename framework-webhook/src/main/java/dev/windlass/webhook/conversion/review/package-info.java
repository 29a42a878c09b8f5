// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: converts the objects of the ConversionReviews that the API server sends.
 *
 * <p>The package receives the bytes of a ConversionReview and the declared {@link
 * dev.windlass.webhook.conversion.Conversion}s, and returns the bytes of the response. The response
 * contains either all objects or a failure. An object's metadata is that of the request, except for
 * changed labels and annotations. No message contains a value of an object. The threads of the
 * webhook server run this code. {@code ConversionHandler} is thread-safe; all other types are
 * immutable or are used by one thread only.
 *
 * <p>{@link dev.windlass.webhook.conversion.review.ConversionHandler} reads the request and writes
 * the response, and {@code KindConverter} converts each object.
 */
@NullMarked
package dev.windlass.webhook.conversion.review;

import org.jspecify.annotations.NullMarked;
