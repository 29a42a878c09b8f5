// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Detects threads of Windlass that a test has started but not ended. A thread belongs to Windlass
 * if its stack contains a Windlass method. Threads of the test servers do not count, because they
 * end when the servers are closed. Idle threads of a pool have no Windlass method on their stacks
 * and are not detected.
 */
final class LeakedThreads {

  private static final Duration POLL = Duration.ofMillis(10);

  /**
   * The JUnit configuration parameter for the grace period: the time in milliseconds that threads
   * and watches have to end after a test.
   */
  static final String GRACE = "windlass.leakcheck.grace";

  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(2);

  private static final String WINDLASS = "dev.windlass.";
  private static final List<String> SERVERS =
      List.of(
          "dev.windlass.testing.apiserver.",
          "dev.windlass.testing.fault.",
          "dev.windlass.testing.junit.");

  private final Set<Thread> before;
  private final boolean conclusive;
  private final Duration grace;

  private LeakedThreads(Set<Thread> before, boolean conclusive, Duration grace) {
    this.before = before;
    this.conclusive = conclusive;
    this.grace = grace;
  }

  /** Records the threads that are running before a test. */
  static LeakedThreads before(ExtensionContext test) {
    Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
    boolean alone =
        test.getExecutionMode() == ExecutionMode.SAME_THREAD
            && test.getTestInstanceLifecycle().orElse(Lifecycle.PER_METHOD) == Lifecycle.PER_METHOD;
    boolean conclusive =
        alone
            && all.entrySet().stream()
                .filter(entry -> entry.getKey() != Thread.currentThread())
                .noneMatch(entry -> place(entry.getValue()).isPresent());
    Duration grace =
        test.getConfigurationParameter(GRACE, millis -> Duration.ofMillis(Long.parseLong(millis)))
            .orElse(DEFAULT_GRACE);
    return new LeakedThreads(Set.copyOf(all.keySet()), conclusive, grace);
  }

  /** Fails if any Windlass threads that the test has started are still running. */
  void assertNone() {
    if (!conclusive) {
      return;
    }
    List<String> left = remaining(this::find);
    if (!left.isEmpty()) {
      throw new AssertionError(
          "the test left %d threads of Windlass behind; close each manager and informer:\n  %s"
              .formatted(left.size(), String.join("\n  ", left)));
    }
  }

  /**
   * Repeats a search until it finds nothing or the grace period ends. Returns the result of the
   * last search.
   */
  List<String> remaining(Supplier<List<String>> search) {
    List<String> left = search.get();
    for (long i = 0; i < grace.dividedBy(POLL) && !left.isEmpty(); i++) {
      LockSupport.parkNanos(POLL.toNanos());
      left = search.get();
    }
    return left;
  }

  private List<String> find() {
    List<String> found = new ArrayList<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (!before.contains(thread) && thread != Thread.currentThread()) {
                place(stack).ifPresent(place -> found.add(describe(thread, place)));
              }
            });
    return found.stream().sorted().toList();
  }

  /**
   * Returns the innermost Windlass method on a stack. Returns empty if there is none, or if the
   * thread belongs to a test server.
   */
  private static Optional<StackTraceElement> place(StackTraceElement[] stack) {
    List<StackTraceElement> own =
        Arrays.stream(stack)
            .filter(element -> element.getClassName().startsWith(WINDLASS))
            .toList();
    boolean server =
        own.stream()
            .anyMatch(element -> SERVERS.stream().anyMatch(element.getClassName()::startsWith));
    return own.isEmpty() || server ? Optional.empty() : Optional.of(own.get(0));
  }

  private static String describe(Thread thread, StackTraceElement place) {
    return "%s (%s in %s)".formatted(thread.getName(), thread.getState(), place);
  }
}
