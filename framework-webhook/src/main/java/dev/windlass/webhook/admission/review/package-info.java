// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the way from the JSON of an {@code AdmissionReview} to a validator or defaulter, and
 * back.
 *
 * <p>Input: the body of a request. Output: the body of its answer, which always has the uid of the
 * request. Invariant: what the class of an object does not have is never changed.
 */
@NullMarked
package dev.windlass.webhook.admission.review;

import org.jspecify.annotations.NullMarked;
