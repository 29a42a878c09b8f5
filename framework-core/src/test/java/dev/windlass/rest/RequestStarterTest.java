// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rest;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The thread that starts an elector's requests; the test runs its tasks. */
final class RequestStarterTest {

  private final List<Thread> made = new ArrayList<>();
  private final Queue<Runnable> started = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();

  private final RequestStarter starter =
      new RequestStarter(
          "starter",
          task -> {
            Thread thread =
                new Thread() {
                  @Override
                  public synchronized void start() {
                    started.add(task);
                  }
                };
            made.add(thread);
            return thread;
          });

  @Test
  void startsInOrderOnOneThreadAtATime() {
    starter.execute(() -> ran.add("a"));
    starter.execute(() -> ran.add("b"));
    assertThat(made).hasSize(1);
    started.remove().run();
    assertThat(ran).containsExactly("a", "b");
    starter.execute(() -> ran.add("c"));
    assertThat(made).as("the first one has ended").hasSize(2).allMatch(Thread::isDaemon);
    started.remove().run();
    assertThat(ran).containsExactly("a", "b", "c");
  }

  /** The leader must renew its lease even if the machine has no thread left. */
  @Test
  void startsOnTheCallingThreadIfThereIsNoOther() {
    RequestStarter alone =
        new RequestStarter(
            "starter", task -> raise(new OutOfMemoryError("unable to create native thread")));
    alone.execute(() -> ran.add("a"));
    alone.execute(() -> ran.add("b"));
    assertThat(ran).containsExactly("a", "b");
  }
}
