// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/** Determines how the API server handles a request if a webhook fails or does not respond. */
public enum FailurePolicy {
  /** Rejects the request. This is the default, as in Kubernetes. */
  FAIL("Fail"),
  /** Continues with the request, as if the webhook had allowed it. */
  IGNORE("Ignore");

  private final String value;

  FailurePolicy(String value) {
    this.value = value;
  }

  /** Returns the value of {@code failurePolicy} in a webhook configuration. */
  public String value() {
    return value;
  }
}
