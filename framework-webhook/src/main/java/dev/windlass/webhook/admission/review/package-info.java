// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: decodes {@code AdmissionReview}s, calls the validator or the defaulter, and encodes the
 * responses.
 *
 * <p>Input: the body of a request. Output: the body of the response, which always contains the uid
 * of the request. Invariant: fields that the class of an object does not declare are never changed.
 */
@NullMarked
package dev.windlass.webhook.admission.review;

import org.jspecify.annotations.NullMarked;
