// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * Decides whether the API server can store an object. Several threads can call a validator at the
 * same time.
 *
 * <p>A validator must be fast, because the user's request waits for the decision. The time-out of
 * the {@link AdmissionRule} limits the duration of each call. When the time-out expires, the server
 * interrupts the thread.
 *
 * @param <T> the objects' class
 */
@FunctionalInterface
public interface Validator<T> {

  /**
   * Validates one request.
   *
   * @return the decision; null has the same effect as an exception
   * @throws Exception if the validator cannot make a decision. The webhook then responds with
   *     status 500, and the API server applies the {@link FailurePolicy}. The exception message is
   *     logged, but is not part of the response
   */
  Verdict validate(AdmissionRequest<T> request) throws Exception;
}
