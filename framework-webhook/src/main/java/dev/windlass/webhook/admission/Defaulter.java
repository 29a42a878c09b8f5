// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * Sets fields of an object before it is validated and stored. Several threads can call a defaulter
 * at the same time.
 *
 * <p>The API server can call a defaulter twice for one request, so the second call must not change
 * what the first one has set. The API server gives up after the time-out of the {@link
 * AdmissionRule}, and the thread is then interrupted.
 *
 * @param <T> the class of the objects
 */
@FunctionalInterface
public interface Defaulter<T> {

  /**
   * Changes {@link AdmissionRequest#object()}. The response to the API server contains only the
   * changes. Fields that the class does not declare remain unchanged.
   *
   * @throws Exception if the defaults cannot be determined. The response then has the status 500,
   *     and the API server applies the {@link FailurePolicy}. The message of the exception appears
   *     in the log, but not in the response
   */
  void setDefaults(AdmissionRequest<T> request) throws Exception;
}
