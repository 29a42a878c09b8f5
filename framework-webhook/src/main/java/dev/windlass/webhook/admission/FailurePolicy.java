// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/** What the API server does with a request if it cannot get an answer from a webhook. */
public enum FailurePolicy {
  /** The request is rejected. This is the default, of Kubernetes too. */
  FAIL("Fail"),
  /** The request continues as if the webhook had allowed it. */
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
