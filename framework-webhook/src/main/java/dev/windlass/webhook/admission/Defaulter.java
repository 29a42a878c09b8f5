// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * Sets fields of an object before the API server validates and stores it. Several threads can call
 * a defaulter at the same time.
 *
 * <p>The API server can call a defaulter twice for one request, so the second call must not change
 * the fields that the first call has set. The time-out of the {@link AdmissionRule} limits each
 * call; when the time-out expires, the server interrupts the thread.
 *
 * @param <T> the objects' class
 */
@FunctionalInterface
public interface Defaulter<T> {

  /**
   * Changes {@link AdmissionRequest#object()}. The response to the API server contains only the
   * changes. Fields that the class does not declare remain unchanged.
   *
   * @throws Exception if the defaults cannot be determined. The response then has the status 500,
   *     and the API server applies the {@link FailurePolicy}. The exception message appears in the
   *     log, but not in the response
   */
  void setDefaults(AdmissionRequest<T> request) throws Exception;
}
