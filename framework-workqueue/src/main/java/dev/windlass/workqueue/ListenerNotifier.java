// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.FatalErrors;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listener of a queue. Exceptions that the listener throws are logged and not
 * propagated. Otherwise, an exception could prevent the release of a key that a worker has taken.
 *
 * <p>The caller must not hold the queue's lock.
 */
final class ListenerNotifier {

  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

  private final String queue;
  private final WorkQueueListener listener;

  ListenerNotifier(String queue, WorkQueueListener listener) {
    this.queue = queue;
    this.listener = listener;
  }

  /** Returns true if the queue has no listener. In this case, the queue need not measure times. */
  boolean isUnheard() {
    return listener == WorkQueueListener.NONE;
  }

  void added(Priority priority) {
    try {
      listener.added(priority);
    } catch (RuntimeException | Error e) {
      survived(e);
    }
  }

  void added(List<Priority> priorities) {
    for (int i = 0; i < priorities.size(); i++) { // usually empty; an iterator would create garbage
      added(priorities.get(i));
    }
  }

  void taken(WorkItem<?> item) {
    if (isUnheard()) {
      return;
    }
    try {
      listener.taken(item.priority(), item.waited());
    } catch (RuntimeException | Error e) {
      survived(e);
    }
  }

  void finished(long workedNanos) {
    if (isUnheard()) {
      return;
    }
    try {
      listener.finished(Duration.ofNanos(workedNanos));
    } catch (RuntimeException | Error e) {
      survived(e);
    }
  }

  void retried() {
    try {
      listener.retried();
    } catch (RuntimeException | Error e) {
      survived(e);
    }
  }

  private void survived(Throwable t) {
    FatalErrors.rethrow(t);
    log.warn("The listener of the work queue {} failed; the queue continues", queue, t);
  }
}
