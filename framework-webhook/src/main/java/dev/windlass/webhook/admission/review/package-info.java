// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: decodes {@code AdmissionReview}s, calls the validator or the defaulter, and encodes the
 * responses.
 *
 * <p>The package receives the body of a request and returns the body of the response, which always
 * contains the request's uid. Fields that an object's class does not declare are never changed.
 */
@NullMarked
package dev.windlass.webhook.admission.review;

import org.jspecify.annotations.NullMarked;
