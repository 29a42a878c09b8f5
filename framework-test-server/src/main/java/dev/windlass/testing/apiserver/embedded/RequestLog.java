// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest requests, in the order of their arrival. This class is thread-safe. */
final class RequestLog {
  private final int capacity;

  @GuardedBy("this")
  private final Deque<RecordedRequest> requests = new ArrayDeque<>();

  RequestLog(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(RecordedRequest request) {
    if (requests.size() == capacity) {
      requests.removeFirst();
    }
    requests.addLast(request);
  }

  synchronized List<RecordedRequest> all() {
    return List.copyOf(requests);
  }

  synchronized void clear() {
    requests.clear();
  }
}
