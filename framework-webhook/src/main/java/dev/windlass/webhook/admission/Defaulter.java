// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * Sets fields of an object before it is validated and stored. Several threads can call a defaulter
 * at the same time.
 *
 * <p>The API server can call a defaulter twice for one request, so the second call must not change
 * what the first one has set. It gives up after the time-out of the {@link AdmissionRule}, and the
 * thread is interrupted then.
 *
 * @param <T> the class of the objects
 */
@FunctionalInterface
public interface Defaulter<T> {

  /**
   * Changes {@link AdmissionRequest#object()}. Only what this method has changed is sent to the API
   * server. Fields that the class does not have are kept.
   *
   * @throws Exception if the defaults cannot be determined. The API server gets the status 500, and
   *     follows the {@link FailurePolicy}. The message of the exception is logged, but not sent
   */
  void setDefaults(AdmissionRequest<T> request) throws Exception;
}
