// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces that a program implements to validate objects and to set their defaults.
 *
 * <p>A {@link dev.windlass.webhook.admission.Validator} receives an {@link
 * dev.windlass.webhook.admission.AdmissionRequest} and returns a {@link
 * dev.windlass.webhook.admission.Verdict}. A {@link dev.windlass.webhook.admission.Defaulter}
 * changes the object. An {@link dev.windlass.webhook.admission.AdmissionRule} selects the requests
 * for which the API server calls the validator or the defaulter.
 */
@NullMarked
package dev.windlass.webhook.admission;

import org.jspecify.annotations.NullMarked;
