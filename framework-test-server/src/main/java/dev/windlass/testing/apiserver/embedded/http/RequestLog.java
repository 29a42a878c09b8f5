// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A record of the latest requests, in order of arrival. This class is thread-safe. */
public final class RequestLog {
  private final int capacity;

  @GuardedBy("this")
  private final Deque<RecordedRequest> requests = new ArrayDeque<>();

  public RequestLog(int capacity) {
    this.capacity = capacity;
  }

  public synchronized void add(RecordedRequest request) {
    if (requests.size() == capacity) {
      requests.removeFirst();
    }
    requests.addLast(request);
  }

  public synchronized List<RecordedRequest> all() {
    return List.copyOf(requests);
  }

  public synchronized void clear() {
    requests.clear();
  }
}
