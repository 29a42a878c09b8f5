// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The faults that a test injects. Each fault is an action before a request, which can throw the
 * error that the server returns instead of the real response. This class is thread-safe.
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
    private final Consumer<RecordedRequest> action;
    private int left;

    private Fault(RequestMatcher matcher, Consumer<RecordedRequest> action, int times) {
      this.matcher = matcher;
      this.action = action;
      this.left = times;
    }
  }

  /** Returns an action that throws the error with the given status code. */
  public static Consumer<RecordedRequest> error(int code) {
    return request -> {
      throw error(code, request);
    };
  }

  private static StatusException error(int code, RecordedRequest request) {
    if (code == 404 && !request.name().isEmpty()) { // a client takes no other 404 for absence
      String[] resource = request.resource().split("\\.", 2);
      return StatusException.notFound(
          new GroupResource(resource.length == 1 ? "" : resource[1], resource[0]), request.name());
    }
    String reason =
        code == 409 && request.verb() == Verb.CREATE
            ? "AlreadyExists"
            : REASONS.getOrDefault(code, "");
    return StatusException.of(code, reason, "failure injected by the test");
  }

  public synchronized void add(
      RequestMatcher matcher, Consumer<RecordedRequest> action, int times) {
    faults.add(new Fault(matcher, action, times));
  }

  public synchronized void clear() {
    faults.clear();
  }

  /** Runs the action of the first fault that applies to {@code request}, if there is one. */
  public void check(RecordedRequest request) {
    take(request).ifPresent(fault -> fault.action.accept(request));
  }

  private synchronized Optional<Fault> take(RecordedRequest request) {
    Optional<Fault> first =
        faults.stream().filter(fault -> fault.matcher.matches(request)).findFirst();
    first.ifPresent(fault -> fault.left--);
    faults.removeIf(fault -> fault.left == 0);
    return first;
  }
}
