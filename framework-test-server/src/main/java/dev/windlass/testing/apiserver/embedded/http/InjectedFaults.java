// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The faults that a test injects. Each fault specifies an error that the server returns instead of
 * the real response. This class is thread-safe.
 */
public final class InjectedFaults {
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(400, "BadRequest"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "NotFound"),
          Map.entry(409, "Conflict"),
          Map.entry(410, "Expired"),
          Map.entry(422, "Invalid"),
          Map.entry(429, "TooManyRequests"),
          Map.entry(500, "InternalError"),
          Map.entry(503, "ServiceUnavailable"),
          Map.entry(504, "Timeout"));

  @GuardedBy("this")
  private final List<Fault> faults = new ArrayList<>();

  private static final class Fault {
    private final RequestMatcher matcher;
    private final int code;
    private int left;

    private Fault(RequestMatcher matcher, int code, int times) {
      this.matcher = matcher;
      this.code = code;
      this.left = times;
    }
  }

  public synchronized void add(RequestMatcher matcher, int code, int times) {
    faults.add(new Fault(matcher, code, times));
  }

  public synchronized void clear() {
    faults.clear();
  }

  /**
   * Throws the error of the first fault that applies to {@code request}, if there is one. Each
   * fault applies to a limited number of requests.
   */
  public void check(RecordedRequest request) {
    int code = take(request);
    if (code == 404 && !request.name().isEmpty()) { // a client takes no other 404 for absence
      String[] resource = request.resource().split("\\.", 2);
      throw StatusException.notFound(
          new GroupResource(resource.length == 1 ? "" : resource[1], resource[0]), request.name());
    } else if (code != 0) {
      throw StatusException.of(
          code, REASONS.getOrDefault(code, ""), "failure injected by the test");
    }
  }

  private synchronized int take(RecordedRequest request) {
    for (Fault fault : faults) {
      if (fault.left > 0 && fault.matcher.matches(request)) {
        fault.left--;
        faults.removeIf(candidate -> candidate.left == 0);
        return fault.code;
      }
    }
    return 0;
  }
}
