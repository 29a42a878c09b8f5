// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: converts the objects of the ConversionReviews that the API server sends.
 *
 * <p>The package receives the bytes of a ConversionReview and the declared {@link
 * dev.windlass.webhook.conversion.Conversion}s, and returns the bytes of the response. The response
 * contains either all objects or a failure. The package copies an object's metadata byte for byte,
 * except for changed labels and annotations. No message contains a value of an object. The threads
 * of the webhook server run this code. {@code ConversionHandler} is thread-safe; all other types
 * are immutable or are used by one thread only.
 *
 * <p>{@code ReviewParser} finds the objects in the bytes, {@code KindConverter} converts each of
 * them, and {@link dev.windlass.webhook.conversion.review.ConversionHandler} writes the response.
 */
@NullMarked
package dev.windlass.webhook.conversion.review;

import org.jspecify.annotations.NullMarked;
