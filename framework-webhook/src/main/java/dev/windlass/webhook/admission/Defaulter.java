// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * Sets default values in an object before the API server validates and stores the object. Several
 * threads can call a defaulter at the same time.
 *
 * <p>The API server can call a defaulter twice for one request, so a second call must not change
 * fields that the first call has set. The time-out of the {@link AdmissionRule} limits the duration
 * of each call. When the time-out expires, the server interrupts the thread.
 *
 * @param <T> the objects' class
 */
@FunctionalInterface
public interface Defaulter<T> {

  /**
   * Sets default values in the request's {@linkplain AdmissionRequest#object() object}. The
   * response to the API server contains only the changes. Fields that the class does not declare
   * remain unchanged.
   *
   * @throws Exception if the default values cannot be determined. The webhook then responds with
   *     status 500, and the API server applies the {@link FailurePolicy}. The exception message is
   *     logged, but is not part of the response
   */
  void setDefaults(AdmissionRequest<T> request) throws Exception;
}
