// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * Decides whether the API server can store an object. Several threads can call a validator at the
 * same time.
 *
 * <p>A validator must be fast, because a user waits for it. The time-out of the {@link
 * AdmissionRule} limits each call; when the time-out expires, the server interrupts the thread.
 *
 * @param <T> the objects' class
 */
@FunctionalInterface
public interface Validator<T> {

  /**
   * Validates one request.
   *
   * @return the decision; null has the same effect as an exception
   * @throws Exception if no decision is possible. The response then has the status 500, and the API
   *     server applies the {@link FailurePolicy}. The exception message appears in the log, but not
   *     in the response
   */
  Verdict validate(AdmissionRequest<T> request) throws Exception;
}
