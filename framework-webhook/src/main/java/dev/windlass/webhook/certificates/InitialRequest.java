// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;

/**
 * Makes one request when the controller starts. Without it, nothing would create a Secret that does
 * not exist, because there would be no event.
 *
 * @param request the request
 */
record InitialRequest(Request request) implements Source {

  @Override
  public Running start(PrioritySink sink) {
    sink.add(request);
    return new Running() {
      @Override
      public boolean hasSynced() {
        return true;
      }

      @Override
      public void stop() {
        // Nothing runs.
      }
    };
  }

  @Override
  public String toString() {
    return "its start";
  }
}
