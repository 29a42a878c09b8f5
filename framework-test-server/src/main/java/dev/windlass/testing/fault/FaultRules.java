// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The faults that a {@link FaultProxy} still has to inject. This class is thread-safe. */
final class FaultRules {

  @GuardedBy("this")
  private final List<Rule> rules = new ArrayList<>();

  @GuardedBy("this")
  private final List<String> injected = new ArrayList<>();

  private static final class Rule {
    private final RequestMatcher matcher;
    private final ApiFault fault;
    private final double probability;
    private final RandomGenerator random;
    private int toSkip;
    private int left;

    Rule(
        RequestMatcher matcher,
        ApiFault fault,
        int skip,
        int times,
        double probability,
        RandomGenerator random) {
      this.matcher = matcher;
      this.fault = fault;
      this.toSkip = skip;
      this.left = times;
      this.probability = probability;
      this.random = random;
    }

    /**
     * Returns whether to inject the fault into the given request, or into the current event of the
     * given watch. If so, decrements the number of faults left. If the request or event matches but
     * must be skipped, decrements the number to skip.
     */
    boolean isDue(RecordedRequest request, boolean endBookmark) {
      if (left == 0
          || !matcher.matches(request)
          || (fault.kind() == ApiFault.Kind.DROP_END_BOOKMARK) != endBookmark) {
        return false;
      }
      if (toSkip > 0) {
        toSkip--;
        return false;
      }
      if (random.nextDouble() >= probability) {
        return false;
      }
      left--;
      return true;
    }
  }

  synchronized void add(RequestMatcher matcher, ApiFault fault, int skip, int times) {
    if (skip < 0 || times < 1) {
      throw new IllegalArgumentException(
          "use a skip of at least 0 and at least one time: " + skip + ", " + times);
    }
    rules.add(new Rule(matcher, fault, skip, times, 1, new Random(0)));
  }

  synchronized void addRandom(
      RequestMatcher matcher, ApiFault fault, double probability, RandomGenerator random) {
    if (!(probability > 0 && probability <= 1)) {
      throw new IllegalArgumentException("not a probability above 0: " + probability);
    }
    rules.add(new Rule(matcher, fault, 0, Integer.MAX_VALUE, probability, random));
  }

  synchronized Optional<ApiFault> forRequest(RecordedRequest request) {
    return next(request, false, false);
  }

  /**
   * Returns the fault to inject into an event of a watch, or empty if there is none.
   *
   * @param endBookmark whether the event is the bookmark that marks the end of the initial events
   */
  synchronized Optional<ApiFault> forEvent(RecordedRequest watch, boolean endBookmark) {
    return next(watch, true, endBookmark);
  }

  @GuardedBy("this")
  private Optional<ApiFault> next(RecordedRequest request, boolean event, boolean endBookmark) {
    for (Rule rule : rules) {
      if (rule.fault.concernsEvents() == event && rule.isDue(request, endBookmark)) {
        injected.add(
            "%s %s %s: %s"
                .formatted(request.verb(), request.resource(), request.name(), rule.fault));
        return Optional.of(rule.fault);
      }
    }
    return Optional.empty();
  }

  synchronized void clear() {
    rules.clear();
  }

  synchronized List<String> injected() {
    return List.copyOf(injected);
  }
}
