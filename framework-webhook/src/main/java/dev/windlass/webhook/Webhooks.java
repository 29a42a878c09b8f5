// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

/** Placeholder of the skeleton; replaced by the next commit. */
public final class Webhooks {
  private Webhooks() {}
}
