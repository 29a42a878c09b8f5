// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The threads of managers that this test has started; earlier ones may still end. */
final class ManagerThreads {

  /** Threads of the JVM, of the test, and of the embedded server. */
  private static final Pattern FOREIGN =
      Pattern.compile(
          "embedded-apiserver-.*|HTTP-Dispatcher|idle-timeout-task|awaitility-.*|.*-pool-.*"
              + "|ForkJoinPool.*|junit-.*|surefire-.*|main|C[12] CompilerThread.*|.*Handler|.*Cleaner");

  private final Set<Thread> before = Thread.getAllStackTraces().keySet();

  /** Returns those that are alive. */
  List<Thread> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .filter(thread -> !FOREIGN.matcher(thread.getName()).matches())
        .toList();
  }
}
