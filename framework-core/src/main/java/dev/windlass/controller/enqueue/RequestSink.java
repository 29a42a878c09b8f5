// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;

/** Where requests are put: a controller's queue, as those see it who only fill it. Thread safe. */
@FunctionalInterface
public interface RequestSink {

  /** Asks for a reconcile. Requests that wait already are not doubled. Never blocks. */
  void add(Request request);
}
